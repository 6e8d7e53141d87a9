/*
 * Ends that do not keep to the protocol: clients against the server, and servers against the
 * client. What they do ends their own connection with a status; others never notice.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "native/client_internal.h"
#include "transport/support.h"

/* Reads the greeting of the server. */
static void hostile_be_greeted(int fd) {
  uint8_t bytes[SPC_FRAME_BYTES + SPC_GREETING_BYTES];
  CHECK(recv(fd, bytes, sizeof bytes, MSG_WAITALL) == (ssize_t)sizeof bytes);
}

/* A connection to the server that no client code guards. */
static int hostile_connect(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strcpy(address.sun_path, test_path);
  CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
  hostile_be_greeted(fd);
  return fd;
}

static void hostile_send(int fd, const void *bytes, size_t length) {
  ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
  CHECK(sent < 0 || (size_t)sent == length);
}

static void hostile_send_frame(int fd, spc__frame_kind kind, spc__frame frame) {
  uint8_t header[SPC_FRAME_BYTES];
  spc__frame_encode(header, kind, &frame);
  hostile_send(fd, header, sizeof header);
}

/* Reads until the other end closes; gives how much came, of which the start is kept. */
static size_t hostile_read_all(int fd, uint8_t *bytes, size_t room) {
  size_t length = 0;
  for (;;) {
    uint8_t rest[256];
    ssize_t got = recv(fd, rest, sizeof rest, 0);
    if (got <= 0) return length;
    for (ssize_t i = 0; i < got; i++, length++)
      if (length < room) bytes[length] = rest[i];
  }
}

/* The server answers with `status` as its last word, and closes. */
static void hostile_check_last_word(int fd, spc_status status) {
  uint8_t bytes[512] = {0};
  spc__frame frame;
  size_t length = hostile_read_all(fd, bytes, sizeof bytes);
  CHECK(length >= SPC_FRAME_BYTES);
  CHECK_STATUS(spc__frame_decode(&frame, SPC_FRAME_RESPONSE, bytes, 512, NULL), SPC_OK);
  CHECK_STATUS(frame.code, status);
  close(fd);
}

static spc_client *hostile_witness;

static void hostile_check_witness(void) {
  test_check_call(hostile_witness, 100);
}

static void test_bytes_that_are_no_frame_end_the_connection(void) {
  uint8_t bytes[SPC_FRAME_BYTES];
  uint64_t seed = 4;
  for (int i = 0; i < 50; i++) {
    int fd = hostile_connect();
    test_random_bytes(&seed, bytes, sizeof bytes);
    hostile_send(fd, bytes, sizeof bytes);
    hostile_check_last_word(fd, SPC_BAD_FRAME);
  }
  hostile_check_witness();
}

static void test_a_length_over_the_limit_ends_the_connection(void) {
  static const uint64_t lengths[] = {(UINT64_C(64) << 20) + 1, UINT32_MAX, UINT64_MAX};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    int fd = hostile_connect();
    hostile_send_frame(fd, SPC_FRAME_REQUEST,
                       (spc__frame){.code = SPC_OP_SHA256, .id = 9, .length = lengths[i]});
    hostile_check_last_word(fd, SPC_FRAME_LIMIT);
  }
  hostile_check_witness();
}

static void test_a_request_without_an_id_ends_the_connection(void) {
  int fd = hostile_connect();
  hostile_send_frame(fd, SPC_FRAME_REQUEST, (spc__frame){.code = SPC_OP_SHA256, .room = 32});
  hostile_check_last_word(fd, SPC_BAD_FRAME);
  hostile_check_witness();
}

static void test_a_frame_that_never_ends_holds_up_nobody(void) {
  int fds[8];
  for (size_t i = 0; i < 8; i++) {
    fds[i] = hostile_connect();
    hostile_send_frame(fds[i], SPC_FRAME_REQUEST,
                       (spc__frame){.code = SPC_OP_SHA256, .id = 1, .length = 1 << 20});
    hostile_send(fds[i], "abc", i % 4);
  }
  hostile_check_witness();
  for (size_t i = 0; i < 8; i++)
    close(fds[i]);
  hostile_check_witness();
}

static void test_a_client_that_never_reads_holds_up_nobody(void) {
  uint8_t request[4096] = {0};
  int fd = hostile_connect();
  size_t sent = 0;
  for (int i = 0; i < 2000; i++) {
    uint8_t header[SPC_FRAME_BYTES];
    spc__frame frame = {
        .code = SPC_OP_PERMUTE_MANY, .id = 1, .length = sizeof request, .room = UINT64_MAX};
    spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
    if (send(fd, header, sizeof header, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof header) break;
    if (send(fd, request, sizeof request, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof request) break;
    sent++;
  }
  CHECK(sent > 0);
  hostile_check_witness();
  close(fd);
  hostile_check_witness();
}

static void test_descriptors_that_a_client_sends_are_not_kept(void) {
  int fd = hostile_connect();
  unsigned before = test_count_resources(getpid()).fds;
  for (uint32_t i = 1; i <= 50; i++) {
    spc__stream stream;
    uint8_t header[SPC_FRAME_BYTES], answer[SPC_FRAME_BYTES + SPC_SHA256_BYTES];
    spc__frame frame = {.code = SPC_OP_SHA256, .id = i, .room = SPC_SHA256_BYTES};
    spc__stream_init(&stream, fd);
    spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
    CHECK_STATUS(spc__stream_write(&stream, header, sizeof header, NULL, 0, STDERR_FILENO,
                                   SPC_FOREVER, NULL),
                 SPC_OK);
    CHECK(recv(fd, answer, sizeof answer, MSG_WAITALL) == (ssize_t)sizeof answer);
  }
  CHECK(test_count_resources(getpid()).fds <= before);
  close(fd);
}

/* Tells the server that something is in the ring. */
static void hostile_ring_bell(spc__shm *shm) {
  atomic_fetch_add(&shm->theirs->bell, 1);
  spc__shm other = *shm;
  other.mine = shm->theirs;
  spc__shm_ring_bell(&other);
}

/* The server hangs up, and its last word to the client was `expected`. */
static void hostile_check_ends(spc_client *client, spc_status expected) {
  spc_error error;
  uint64_t start = spc__now();
  while (!spc__hung_up(client->link.stream.fd) && spc__now() - start < TEST_TIMEOUT)
    test_sleep(MILLISECOND);
  CHECK(spc__hung_up(client->link.stream.fd));
  CHECK_STATUS(test_call_status(client, SPC_OP_SHA256, NULL, 0, TEST_TIMEOUT, &error), expected);
  spc_client_close(client);
  hostile_check_witness();
}

static void test_untrue_tails_end_the_connection(void) {
  static const uint32_t tails[] = {1, 7, 12, 4096 + 8, 8192, UINT32_C(1) << 31, (uint32_t)-8};
  for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
    spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
    atomic_store(&client->link.shm.mine->tail, tails[i]);
    hostile_ring_bell(&client->link.shm);
    hostile_check_ends(client, SPC_DISCONNECTED);
  }
}

/* The server learns the head when it has no room left. */
static void test_untrue_heads_end_the_connection(void) {
  static const uint32_t heads[] = {1, 8192, UINT32_C(1) << 31};
  uint8_t states[8192] = {0}, answer[8192];
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
    spc_error error;
    size_t length = 0;
    atomic_store(&client->link.shm.mine->head, heads[i]);
    CHECK_STATUS(spc_client_call(client, SPC_OP_PERMUTE_MANY, states, sizeof states, answer,
                                 sizeof answer, &length, TEST_TIMEOUT, &error),
                 SPC_DISCONNECTED);
    hostile_check_ends(client, SPC_DISCONNECTED);
  }
}

static void test_garbage_in_the_ring_ends_the_connection(void) {
  uint64_t seed = 5;
  /* Good headers, but for one field. */
  static const spc__frame frames[] = {
      {.code = SPC_OP_SHA256, .id = 2, .length = (UINT64_C(64) << 20) + 1},
      {.code = SPC_OP_SHA256, .id = 0, .length = 32}};
  for (int i = 0; i < 20; i++) {
    spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
    spc__shm *shm = &client->link.shm;
    test_random_bytes(&seed, shm->out.bytes, shm->out.size);
    if (i % 4 < 2) spc__frame_encode(shm->out.bytes, SPC_FRAME_REQUEST, &frames[i % 4]);
    atomic_store(&shm->mine->tail, 4096);
    hostile_ring_bell(shm);
    hostile_check_ends(client, i % 4 == 0 ? SPC_FRAME_LIMIT : SPC_BAD_FRAME);
  }
}

/* Writes to every shared word that a client can reach, as fast as it can. */
static void hostile_scribble(spc__shm *shm, uint64_t time) {
  uint64_t seed = 6;
  for (uint64_t end = spc__now() + time; spc__now() < end;) {
    for (int i = 0; i < 200; i++) {
      uint32_t value = (uint32_t)test_random(&seed);
      uint32_t small = atomic_load(&shm->theirs->head) + (value & 0xff8);
      atomic_store(&shm->mine->tail, value % 3 == 0 ? value : small);
      atomic_store(&shm->mine->head, value % 5 == 0 ? value : atomic_load(&shm->theirs->tail));
      atomic_store(&shm->mine->sleeps_for, value);
      atomic_store(&shm->mine->cpu, value);
      atomic_store(&shm->mine->crowded, value);
      atomic_store(&shm->theirs->tail, value);
      atomic_store(&shm->theirs->head, value);
      atomic_store(&shm->theirs->sleeps_for, value);
      memcpy(shm->out.bytes + (value & 0xfc0), &value, 4);
      memset(shm->map, (int)value, 16);
    }
    hostile_ring_bell(shm);
  }
}

static void test_scribbling_all_over_the_memory_harms_only_the_scribbler(void) {
  for (int i = 0; i < 10; i++) {
    spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
    hostile_scribble(&client->link.shm, 10 * MILLISECOND);
    hostile_check_witness();
    spc_client_close(client);
    hostile_check_witness();
  }
}

/* The memory is sealed, so the server can't be made to fault. */
static void test_the_memory_can_not_be_cut(void) {
  int fd = hostile_connect(), memory = -1;
  spc__stream stream;
  uint8_t header[SPC_FRAME_BYTES], size[SPC_ATTACH_BYTES];
  spc__frame frame = {.code = SPC_CONTROL_ATTACH, .id = 1, .length = sizeof size};
  spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
  spc__store_le(size, sizeof size, 4096);
  spc__stream_init(&stream, fd);
  CHECK_STATUS(
      spc__stream_write(&stream, header, sizeof header, size, sizeof size, -1, SPC_FOREVER, NULL),
      SPC_OK);
  CHECK_STATUS(spc__stream_read_passed(&stream, header, sizeof header, &memory,
                                       spc__deadline(TEST_TIMEOUT), NULL),
               SPC_OK);
  CHECK(memory >= 0);
  CHECK(ftruncate(memory, 0) != 0);
  CHECK(ftruncate(memory, 1 << 20) != 0);
  CHECK(fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0);
  close(memory);
  close(fd);
  hostile_check_witness();
}

/* A full ring: requests without end and no answer read, while others are served. */
static void test_a_ring_full_both_ways_holds_up_nobody(void) {
  uint8_t header[SPC_FRAME_BYTES];
  spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
  spc__frame frame = {.code = SPC_OP_SHA256, .room = UINT64_MAX};
  spc_error error;
  uint32_t sent = 0;
  for (;;) {
    frame.id = sent + 1;
    spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
    spc__shm_message message = {.head = header, .head_length = sizeof header};
    for (int i = 0; i < 50 && !spc__shm_message_done(&message); i++) {
      CHECK_STATUS(spc__shm_put(&client->link.shm, &message, &error), SPC_OK);
      if (!spc__shm_message_done(&message)) test_sleep(MILLISECOND);
    }
    if (!spc__shm_message_done(&message)) break;
    sent++;
  }
  CHECK(sent > 100);
  hostile_check_witness();
  /* Once the answers are read the server goes on where it stood. */
  for (uint32_t i = 1; i <= sent; i++) {
    uint8_t digest[SPC_SHA256_BYTES];
    CHECK_STATUS(spc__link_read_frame(&client->link, SPC_FRAME_RESPONSE, &frame, 32,
                                      spc__deadline(TEST_TIMEOUT), &error),
                 SPC_OK);
    CHECK_U64(frame.id, i);
    CHECK_STATUS(spc__link_read_body(&client->link, digest, frame.length,
                                     spc__deadline(TEST_TIMEOUT), &error),
                 SPC_OK);
  }
  spc_client_close(client);
}

/* From here on the other end of a socket pair plays the server. */

typedef struct hostile_server {
  int fd;
  pthread_t thread;
  const uint8_t *script;
  size_t length;
  size_t greeting; /* bytes of it that are sent unasked; the rest answers what comes */
  int passed;      /* sent with the rest */
} hostile_server;

static void *hostile_play(void *user) {
  hostile_server *self = (hostile_server *)user;
  const uint8_t *rest = self->script + self->greeting;
  uint8_t request[256];
  spc__stream stream;
  spc__stream_init(&stream, self->fd);
  spc__stream_write(&stream, self->script, self->greeting, NULL, 0, -1, SPC_FOREVER, NULL);
  if (self->length > self->greeting && recv(self->fd, request, sizeof request, 0) > 0)
    spc__stream_write(&stream, rest, self->length - self->greeting, NULL, 0, self->passed,
                      SPC_FOREVER, NULL);
  shutdown(self->fd, SHUT_WR);
  while (recv(self->fd, request, sizeof request, 0) > 0)
    continue;
  return NULL;
}

/* What opening a client, and one call where that works, gives against a server of this script. */
static spc_status hostile_against(spc_transport kind, const uint8_t *script, size_t length,
                                  size_t greeting, int passed) {
  int pair[2];
  hostile_server server = {
      .script = script, .length = length, .greeting = greeting, .passed = passed};
  spc_client_options options = spc_client_options_default(kind, NULL);
  spc_client *client = NULL;
  spc_error error;
  CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  options.fd = pair[0];
  server.fd = pair[1];
  CHECK(pthread_create(&server.thread, NULL, hostile_play, &server) == 0);
  spc_status status = spc_client_open(&client, &options, &error);
  if (status == SPC_OK) {
    status = test_call_status(client, SPC_OP_SHA256, NULL, 0, 50 * MILLISECOND, &error);
    spc_client_close(client);
  }
  pthread_join(server.thread, NULL);
  close(pair[1]);
  return status;
}

#define HOSTILE_GREETING_BYTES (SPC_FRAME_BYTES + SPC_GREETING_BYTES)

/* A greeting as a good server gives it. */
static void hostile_greeting(uint8_t out[HOSTILE_GREETING_BYTES]) {
  spc__frame frame = {.code = SPC_OK, .length = SPC_GREETING_BYTES};
  spc__frame_encode(out, SPC_FRAME_RESPONSE, &frame);
  spc__store_le(out + SPC_FRAME_BYTES, 8, 1000);
  spc__store_le(out + SPC_FRAME_BYTES + 8, 8, 1000);
}

static void test_greetings_that_are_none_are_refused(void) {
  const size_t whole = HOSTILE_GREETING_BYTES;
  for (size_t k = 0; k < TEST_KINDS; k++) {
    uint8_t bytes[HOSTILE_GREETING_BYTES];
    uint64_t seed = 7;
    hostile_greeting(bytes);
    for (size_t cut = 0; cut <= whole; cut += 4)
      CHECK_STATUS(hostile_against(test_kinds[k], bytes, cut, cut, -1), SPC_DISCONNECTED);
    spc__store_le(bytes + 12, 4, 1); /* it answers nothing */
    CHECK_STATUS(hostile_against(test_kinds[k], bytes, whole, whole, -1), SPC_BAD_FRAME);
    hostile_greeting(bytes);
    spc__store_le(bytes + 16, 8, SPC_GREETING_BYTES - 1);
    CHECK_STATUS(hostile_against(test_kinds[k], bytes, whole, whole, -1), SPC_BAD_FRAME);
    spc__store_le(bytes + 16, 8, UINT64_MAX);
    CHECK_STATUS(hostile_against(test_kinds[k], bytes, whole, whole, -1), SPC_FRAME_LIMIT);
    for (int i = 0; i < 20; i++) {
      test_random_bytes(&seed, bytes, sizeof bytes);
      CHECK_STATUS(hostile_against(test_kinds[k], bytes, whole, whole, -1), SPC_BAD_FRAME);
    }
  }
}

static void test_refusals_are_told(void) {
  const spc_error refusal = {.status = SPC_TOO_MANY_CLIENTS, .limit = 3};
  uint8_t bytes[512];
  spc__frame frame = {.code = SPC_TOO_MANY_CLIENTS};
  frame.length = spc__frame_encode_error(bytes + SPC_FRAME_BYTES, &refusal);
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &frame);
  size_t length = SPC_FRAME_BYTES + (size_t)frame.length;
  for (size_t k = 0; k < TEST_KINDS; k++)
    CHECK_STATUS(hostile_against(test_kinds[k], bytes, length, length, -1), SPC_TOO_MANY_CLIENTS);
}

static void test_answers_that_do_not_fit_the_call_are_refused(void) {
  static const struct {
    spc__frame frame;
    spc_status expected;
  } cases[] = {{{.code = SPC_OK, .id = 3, .length = 0}, SPC_BAD_FRAME},
               {{.code = SPC_OK, .id = 1, .length = 0}, SPC_BAD_FRAME},
               {{.code = SPC_OK, .id = 2, .length = 1001}, SPC_FRAME_LIMIT},
               {{.code = SPC_OK, .id = 2, .length = UINT64_MAX}, SPC_FRAME_LIMIT},
               {{.code = SPC_OK, .id = 2, .length = 10}, SPC_DISCONNECTED},
               {{.code = SPC_MALFORMED, .id = 2, .length = 23}, SPC_DISCONNECTED},
               {{.code = SPC_MALFORMED, .id = 2, .length = 900}, SPC_BAD_FRAME},
               {{.code = SPC_MALFORMED, .id = 2, .length = 0}, SPC_BAD_FRAME}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t bytes[HOSTILE_GREETING_BYTES + SPC_FRAME_BYTES];
    hostile_greeting(bytes);
    spc__frame_encode(bytes + HOSTILE_GREETING_BYTES, SPC_FRAME_RESPONSE, &cases[i].frame);
    CHECK_STATUS(
        hostile_against(SPC_TRANSPORT_SOCKET, bytes, sizeof bytes, HOSTILE_GREETING_BYTES, -1),
        cases[i].expected);
  }
}

/* Against a server that gives `fd` as the shared memory. */
static spc_status hostile_against_memory(int fd) {
  uint8_t bytes[HOSTILE_GREETING_BYTES + SPC_FRAME_BYTES];
  const spc__frame attached = {.code = SPC_OK, .id = 1};
  hostile_greeting(bytes);
  spc__frame_encode(bytes + HOSTILE_GREETING_BYTES, SPC_FRAME_RESPONSE, &attached);
  return hostile_against(SPC_TRANSPORT_SHARED_MEMORY, bytes, sizeof bytes, HOSTILE_GREETING_BYTES,
                         fd);
}

static int hostile_memory(off_t size, unsigned seals, const void *header, size_t header_length) {
  int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  CHECK(fd >= 0 && ftruncate(fd, size) == 0);
  CHECK(pwrite(fd, header, header_length, 0) == (ssize_t)header_length);
  CHECK(fcntl(fd, F_ADD_SEALS, seals) == 0);
  return fd;
}

static void test_memory_that_is_not_as_it_says_is_refused(void) {
  const unsigned seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  const off_t good_size = 4096 + 2 * 4096;
  const uint32_t good[4] = {0x4d435053, 1, 4096, 0};
  const struct {
    off_t size;
    unsigned seals;
    uint32_t header[4];
    spc_status expected;
  } cases[] = {
      {good_size, seals, {good[0], 1, 4096, 0}, SPC_DEADLINE}, /* only the call fails */
      {good_size, 0, {good[0], 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, F_SEAL_GROW | F_SEAL_SEAL, {good[0], 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, seals, {good[0] + 1, 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, seals, {good[0], 2, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, seals, {good[0], 1, 8192, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, seals, {good[0], 1, 4095, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size, seals, {good[0], 1, UINT32_MAX, 0}, SPC_BAD_SHARED_MEMORY},
      {good_size - 1, seals, {good[0], 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {16, seals, {good[0], 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
      {(off_t)1 << 40, seals, {good[0], 1, 4096, 0}, SPC_BAD_SHARED_MEMORY},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int fd = hostile_memory(cases[i].size, cases[i].seals, cases[i].header, 16);
    CHECK_STATUS(hostile_against_memory(fd), cases[i].expected);
    close(fd);
  }
}

static void test_a_descriptor_that_is_no_memory_is_refused(void) {
  int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  CHECK_STATUS(hostile_against_memory(fd), SPC_BAD_SHARED_MEMORY);
  close(fd);
  CHECK_STATUS(hostile_against_memory(-1), SPC_BAD_FRAME);
}

/* A server that scribbles over the rings that its client reads. */
static void test_garbage_from_the_server_ends_in_a_status(void) {
  uint64_t seed = 8;
  for (int i = 0; i < 40; i++) {
    uint8_t page[3 * 4096] = {0};
    const uint32_t header[4] = {0x4d435053, 1, 4096, 0};
    const uint32_t tails[] = {8, 32, 4096, 7, 4104, UINT32_C(1) << 31};
    test_random_bytes(&seed, page + 8192, 4096);
    if (i >= 20) {
      spc__frame frame = {.code = (uint32_t)i & 1, .id = 2, .length = test_random(&seed) % 2000};
      spc__frame_encode(page + 8192, SPC_FRAME_RESPONSE, &frame);
    }
    memcpy(page, header, sizeof header);
    memcpy(page + 128, &tails[i % 6], 4); /* the tail of the server's end */
    int fd =
        hostile_memory(sizeof page, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, page, sizeof page);
    spc_status status = hostile_against_memory(fd);
    CHECK(status == SPC_BAD_SHARED_MEMORY || status == SPC_BAD_FRAME || status == SPC_FRAME_LIMIT ||
          status == SPC_DISCONNECTED || status == SPC_DEADLINE || status == SPC_INVALID_ARGUMENT ||
          (i >= 20 && i % 2 == 0));
    close(fd);
  }
}

int main(void) {
  test_server server;
  test_folder_begin();
  test_server_start(&server);
  hostile_witness = test_open(SPC_TRANSPORT_SHARED_MEMORY, 4096);
  test_bytes_that_are_no_frame_end_the_connection();
  test_a_length_over_the_limit_ends_the_connection();
  test_a_request_without_an_id_ends_the_connection();
  test_a_frame_that_never_ends_holds_up_nobody();
  test_a_client_that_never_reads_holds_up_nobody();
  test_descriptors_that_a_client_sends_are_not_kept();
  test_untrue_tails_end_the_connection();
  test_untrue_heads_end_the_connection();
  test_garbage_in_the_ring_ends_the_connection();
  test_scribbling_all_over_the_memory_harms_only_the_scribbler();
  test_the_memory_can_not_be_cut();
  test_a_ring_full_both_ways_holds_up_nobody();
  spc_client_close(hostile_witness);
  test_server_stop(&server);
  test_greetings_that_are_none_are_refused();
  test_refusals_are_told();
  test_answers_that_do_not_fit_the_call_are_refused();
  test_memory_that_is_not_as_it_says_is_refused();
  test_a_descriptor_that_is_no_memory_is_refused();
  test_garbage_from_the_server_ends_in_a_status();
  test_folder_end();
  return test_end();
}
