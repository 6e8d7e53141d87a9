/*
 * Runs a fuzz target without a fuzzer: first the files named as arguments, then seeded random
 * inputs of growing length, each followed by mutations of itself. `--runs N` sets how many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define REPLAY_MAX_BYTES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  static uint8_t data[1 << 20];
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
  return true;
}

/* Exact-size heap copies, so that a sanitizer sees a read past the end. */
static void replay_bytes(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size == 0 ? 1 : size);
  if (copy == NULL) exit(1);
  memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static void replay_random(uint64_t seed) {
  static uint8_t data[REPLAY_MAX_BYTES];
  size_t size = (size_t)(test_random(&seed) % (seed % 8 == 0 ? REPLAY_MAX_BYTES : 96));
  test_random_bytes(&seed, data, size);
  /* Small values make plausible counts, lengths and operation numbers. */
  for (size_t i = 0; i < size; i++)
    if (test_random(&seed) % 2 == 0) data[i] = (uint8_t)(data[i] % 20);
  replay_bytes(data, size);
  for (int i = 0; i < 4 && size != 0; i++) {
    data[test_random(&seed) % size] ^= (uint8_t)(1u << (test_random(&seed) % 8));
    replay_bytes(data, size - (size_t)(test_random(&seed) % size) / 8);
  }
}

int main(int argc, char **argv) {
  unsigned long runs = 2000;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      runs = strtoul(argv[++i], NULL, 10);
    } else if (!replay_file(argv[i])) {
      fprintf(stderr, "can't read %s\n", argv[i]);
      return 1;
    }
  }
  for (unsigned long i = 0; i < runs; i++)
    replay_random(i);
  printf("%lu random inputs and their mutations\n", runs);
  return 0;
}
