/*
 * A server that greets and attaches as a good one does, and then writes whatever it likes into the
 * shared memory, for tests of the clients in JavaScript:
 *   hostile_server PATH
 * Each connection is served from its first request until the client closes it, in one of four ways,
 * in turn.
 */
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/link.h"
#include "support/test.h"

#define SERVER_RING_BYTES 4096u

static uint64_t server_seed = 9;

static bool server_attach(spc__link *link) {
  uint8_t greeting[SPC_GREETING_BYTES], request[SPC_FRAME_BYTES + SPC_ATTACH_BYTES];
  uint8_t header[SPC_FRAME_BYTES];
  const spc__frame hello = {.code = SPC_OK, .length = sizeof greeting};
  const spc__frame attached = {.code = SPC_OK, .id = 1};
  spc__stream *stream = &link->stream;
  int fd = -1;
  spc__store_le(greeting, 8, 1 << 20);
  spc__store_le(greeting + 8, 8, 1 << 20);
  spc__frame_encode(header, SPC_FRAME_RESPONSE, &attached);
  if (spc__link_write(link, SPC_FRAME_RESPONSE, &hello, greeting, SPC_FOREVER, NULL) != SPC_OK ||
      spc__stream_read(stream, request, sizeof request, SPC_FOREVER, NULL) != SPC_OK ||
      spc__shm_create(&link->shm, SERVER_RING_BYTES, &fd, NULL) != SPC_OK)
    return false;
  spc_status status =
      spc__stream_write(stream, header, sizeof header, NULL, 0, fd, SPC_FOREVER, NULL);
  close(fd);
  return status == SPC_OK;
}

/* Puts an answer of any status and length at the start of the ring, as if it were there already. */
static void server_answer(spc__shm *shm, uint32_t tail) {
  const spc__frame frame = {.code = (uint32_t)test_random(&server_seed) % 3 * 9,
                            .id = 2,
                            .length = test_random(&server_seed) % 6000};
  test_random_bytes(&server_seed, shm->out.bytes, SERVER_RING_BYTES);
  spc__frame_encode(shm->out.bytes, SPC_FRAME_RESPONSE, &frame);
  atomic_store(&shm->mine->tail, tail);
}

/* Any value to any word, of which some are near what is true. */
static void server_scribble(spc__shm *shm) {
  uint32_t value = (uint32_t)test_random(&server_seed);
  atomic_store(&shm->mine->tail, value % 3 == 0 ? value : value % 4096 / 8 * 8);
  atomic_store(&shm->mine->head, value % 5 == 0 ? value : atomic_load(&shm->theirs->tail));
  atomic_store(&shm->theirs->sleeps_for, value);
  atomic_store(&shm->theirs->tail, value);
  atomic_store(&shm->mine->cpu, value);
  memcpy(shm->out.bytes + value % (SERVER_RING_BYTES / 8) * 8, &value, sizeof value);
  memset(shm->map, (int)value, 16);
}

/* Wakes a client that sleeps in either way. */
static void server_wake(spc__link *link) {
  atomic_store(&link->shm.mine->bell, 0);
  atomic_fetch_add(&link->shm.theirs->bell, 1);
  spc__socket_nudge(link->stream.fd);
}

static void server_misbehave(spc__link *link, unsigned way) {
  static const uint32_t tails[] = {8, 32, 40, 4096, 7, 4104, UINT32_C(1) << 31};
  while (atomic_load(&link->shm.theirs->tail) == 0 && !spc__hung_up(link->stream.fd))
    poll(NULL, 0, 1);
  for (unsigned i = 0; !spc__hung_up(link->stream.fd); i++) {
    if (way == 3) {
      for (int k = 0; k < 1000; k++)
        server_scribble(&link->shm);
    } else {
      server_answer(&link->shm, way == 0 ? tails[i % 7] : SERVER_RING_BYTES);
      if (way == 1) test_random_bytes(&server_seed, link->shm.out.bytes, SPC_FRAME_BYTES);
    }
    server_wake(link);
    poll(NULL, 0, 1);
  }
}

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, argv[1]);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 9) != 0)
    return 1;
  for (unsigned way = 0;; way = (way + 1) % 4) {
    spc__link link;
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) return 1;
    spc__link_init(&link, fd);
    if (server_attach(&link)) server_misbehave(&link, way);
    spc__link_close(&link);
  }
}
