/*
 * hapi-write FOLDER [quick]: writes the block, or that of the quick form, and its transactions to
 * files, for benchmarks in other languages: hapi-block.bin, a Block, and hapi-transactions.bin:
 * their number, that many offsets and one more (32 bits each, little-endian), and the
 * SignedTransactions that the offsets are in.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

static FILE *write_open(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static void write_bytes(FILE *file, const void *bytes, size_t length) {
  if (fwrite(bytes, 1, length, file) == length) return;
  perror("writing");
  exit(1);
}

static void write_close(FILE *file) {
  if (fclose(file) == 0) return;
  perror("writing");
  exit(1);
}

static void write_word(FILE *file, uint32_t word) {
  const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                            (uint8_t)(word >> 24)};
  write_bytes(file, bytes, sizeof bytes);
}

int main(int argc, char **argv) {
  const bool quick = argc == 3 && strcmp(argv[2], "quick") == 0;
  if (argc != 2 && !quick) {
    fprintf(stderr, "usage: hapi-write FOLDER [quick]\n");
    return 2;
  }
  const uint32_t count = quick ? HAPI_QUICK_TRANSACTIONS : HAPI_TRANSACTIONS;
  hapi_values values = hapi_make_values(count);
  hapi_transactions transactions = hapi_make_transactions(count);
  size_t length;
  uint8_t *block = hapi_make_block(&values, &length);
  FILE *file = write_open(argv[1], "hapi-block.bin");
  write_bytes(file, block, length);
  write_close(file);
  file = write_open(argv[1], "hapi-transactions.bin");
  write_word(file, count);
  for (size_t i = 0; i <= count; i++)
    write_word(file, transactions.offsets[i]);
  write_bytes(file, transactions.bytes, transactions.offsets[count]);
  write_close(file);
  free(block);
  hapi_free_values(&values);
  hapi_free_transactions(&transactions);
  return 0;
}
