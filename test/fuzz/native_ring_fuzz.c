/*
 * The reader of a ring against a writer that keeps to nothing: the input says what lies in the
 * ring, and what the shared indices and words are before each step of the reader and of a writer
 * that answers. Every step ends at once, in success or a status, and inside the mapped memory.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native/link.h"

#define FUZZ_RING_BYTES SPC_RING_MIN_BYTES
#define FUZZ_BODY_BYTES ((size_t)1 << 16)

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) abort();                                                                     \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The server's end of one piece of memory that all inputs use. */
static spc__link fuzz_link;
static const _Atomic uint32_t fuzz_order;

static void fuzz_start(void) {
  spc_error error;
  int fd = -1;
  if (fuzz_link.shm.map == NULL) {
    FUZZ_REQUIRE(spc__shm_create(&fuzz_link.shm, FUZZ_RING_BYTES, &fd, &error) == SPC_OK);
    close(fd);
  }
  spc__shm *shm = &fuzz_link.shm;
  fuzz_link.shared = true;
  spc__ring_init(&shm->in, shm->in.bytes, FUZZ_RING_BYTES);
  spc__ring_init(&shm->out, shm->out.bytes, FUZZ_RING_BYTES);
  shm->told_head = shm->misses = shm->waits = 0;
  memset(shm->mine, 0, sizeof *shm->mine);
  memset(shm->theirs, 0, sizeof *shm->theirs);
  shm->theirs->crowded = 1; /* no spinning */
  shm->order = &fuzz_order; /* no socket to watch */
}

/* What a writer may do between two steps: 12 bytes of input. */
static void fuzz_writer(const uint8_t *step) {
  spc__shm *shm = &fuzz_link.shm;
  uint32_t tail = (uint32_t)spc__load_le(step, 4), head = (uint32_t)spc__load_le(step + 4, 4);
  /* Mostly near the truth, so that more than the first check is reached. */
  if ((step[8] & 3) != 0) tail = shm->in.tail + (tail & 0x1ff8);
  if ((step[8] & 12) != 0) head = shm->out.head + (head & 0x1ff8);
  atomic_store(&shm->theirs->tail, tail);
  atomic_store(&shm->theirs->head, head);
  atomic_store(&shm->theirs->sleeps_for, step[9]);
  atomic_store(&shm->mine->bell, step[10]);
  atomic_store(&shm->mine->tail, step[11]);
  atomic_store(&shm->mine->head, step[11]);
  if ((step[8] & 16) != 0) {
    spc__frame frame = {.code = step[9], .id = step[10], .length = (uint64_t)step[11] * 37};
    uint8_t header[SPC_FRAME_BYTES];
    spc__ring writer = {.bytes = shm->in.bytes, .size = FUZZ_RING_BYTES, .tail = shm->in.head};
    writer.head = writer.tail;
    spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
    spc__ring_put(&writer, header, sizeof header);
  }
}

static spc_status fuzz_step(uint8_t *body, spc_error *error) {
  spc__frame frame;
  spc_status status =
      spc__link_read_frame(&fuzz_link, SPC_FRAME_REQUEST, &frame, FUZZ_BODY_BYTES, 0, error);
  if (status == SPC_OK) {
    FUZZ_REQUIRE(frame.length <= FUZZ_BODY_BYTES);
    status = spc__link_read_body(&fuzz_link, frame.code == 0 ? NULL : body, frame.length, 0, error);
  }
  if (status == SPC_OK) {
    frame.room = 0;
    status = spc__link_write(&fuzz_link, SPC_FRAME_RESPONSE, &frame, body, 0, error);
  }
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t body[FUZZ_BODY_BYTES];
  fuzz_start();
  size_t content = size < FUZZ_RING_BYTES ? size : FUZZ_RING_BYTES;
  if (content != 0) memcpy(fuzz_link.shm.in.bytes, data, content);
  for (size_t at = 0; at + 12 <= size && at < 12 * 16; at += 12) {
    spc_error error = {.status = SPC_OK};
    fuzz_writer(data + at);
    spc_status status = fuzz_step(body, &error);
    FUZZ_REQUIRE(status == error.status);
    FUZZ_REQUIRE(spc__ring_available(&fuzz_link.shm.in) <= FUZZ_RING_BYTES);
    FUZZ_REQUIRE(spc__ring_space(&fuzz_link.shm.out) <= FUZZ_RING_BYTES);
    if (status == SPC_BAD_SHARED_MEMORY) break;
  }
  return 0;
}
