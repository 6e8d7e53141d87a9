/* What the transport tests share: a server in a thread, both kinds of client, counts of resources.
 */
#ifndef SPC_TEST_TRANSPORT_SUPPORT_H
#define SPC_TEST_TRANSPORT_SUPPORT_H

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/client.h"
#include "native/clock.h"
#include "native/server.h"
#include "spicule/spicule.h"
#include "support/test.h"

#define SECOND                         UINT64_C(1000000000)
#define MILLISECOND                    UINT64_C(1000000)
#define STATE_BYTES                    ((size_t)128)
#define TEST_TIMEOUT                   (10 * SECOND) /* a guard against hanging, not an expectation */
#define CHECK_STATUS(actual, expected) CHECK_U64((unsigned)(actual), (unsigned)(expected))

static const spc_transport test_kinds[] = {SPC_TRANSPORT_SOCKET, SPC_TRANSPORT_SHARED_MEMORY};
#define TEST_KINDS 2u

/* A folder of our own for socket files; removed by test_folder_end, which checks it is empty. */
static char test_folder[64];
static char test_path[96];

static inline void test_folder_begin(void) {
  strcpy(test_folder, "/tmp/spicule-test-XXXXXX");
  if (mkdtemp(test_folder) == NULL) abort();
  snprintf(test_path, sizeof test_path, "%s/socket", test_folder);
  alarm(120); /* a hang fails the test */
}

static inline void test_folder_end(void) {
  CHECK(rmdir(test_folder) == 0);
}

typedef struct test_server {
  spc__server *server;
  pthread_t thread;
  spc_status result;
} test_server;

static inline void *test_server_run(void *user) {
  test_server *self = (test_server *)user;
  self->result = spc__server_run(self->server);
  return NULL;
}

static inline void test_log(void *user, spc__log_level level, const char *line) {
  (void)user;
  (void)level;
  if (getenv("TEST_LOG") != NULL) fprintf(stderr, "server: %s\n", line);
}

static inline void test_server_start_with(test_server *self, spc__server_options options) {
  spc_error error;
  options.log = test_log;
  spc_status status = spc__server_open(&self->server, &options, &error);
  CHECK_STATUS(status, SPC_OK);
  if (status != SPC_OK || pthread_create(&self->thread, NULL, test_server_run, self) != 0) abort();
}

static inline void test_server_start(test_server *self) {
  spc__server_options options = spc__server_options_default();
  options.path = test_path;
  test_server_start_with(self, options);
}

static inline void test_server_stop(test_server *self) {
  spc__server_stop(self->server);
  pthread_join(self->thread, NULL);
  CHECK_STATUS(self->result, SPC_OK);
  spc__server_close(self->server);
}

/* A client of `kind` at test_path with rings of `ring_bytes`, or the default size where 0. */
static inline spc_client *test_open(spc_transport kind, uint32_t ring_bytes) {
  spc_client_options options = spc_client_options_default(kind, test_path);
  spc_client *client = NULL;
  spc_error error = {0};
  options.timeout_ns = TEST_TIMEOUT;
  if (ring_bytes != 0) options.ring_bytes = ring_bytes;
  spc_status status = spc_client_open(&client, &options, &error);
  CHECK_STATUS(status, SPC_OK);
  if (status != SPC_OK) {
    fprintf(stderr, "open: %s %s\n", spc_status_name(status), error.path);
    exit(test_end());
  }
  return client;
}

/* Whether `client` gives the SHA-256 of `length` patterned bytes. For any thread. */
static inline bool test_call_right(spc_client *client, size_t length) {
  uint8_t *request = (uint8_t *)malloc(length + 1);
  uint8_t answer[SPC_SHA256_BYTES], expected[SPC_SHA256_BYTES];
  size_t answer_length = 0;
  spc_error error;
  for (size_t i = 0; i < length; i++)
    request[i] = (uint8_t)(i % 251);
  spc_sha256(expected, request, length);
  spc_status status = spc_client_call(client, SPC_OP_SHA256, request, length, answer, sizeof answer,
                                      &answer_length, TEST_TIMEOUT, &error);
  free(request);
  return status == SPC_OK && answer_length == sizeof answer &&
         memcmp(answer, expected, sizeof answer) == 0;
}

static inline void test_check_call(spc_client *client, size_t length) {
  CHECK(test_call_right(client, length));
}

/* The status of a call whose answer does not matter. */
static inline spc_status test_call_status(spc_client *client, uint32_t op, const uint8_t *request,
                                          size_t length, uint64_t timeout, spc_error *error) {
  uint8_t answer[4096];
  size_t answer_length = 0;
  return spc_client_call(client, op, request, length, answer, sizeof answer, &answer_length,
                         timeout, error);
}

static inline unsigned test_count_entries(const char *path) {
  unsigned count = 0;
  DIR *folder = opendir(path);
  if (folder == NULL) return 0;
  while (readdir(folder) != NULL)
    count++;
  closedir(folder);
  return count;
}

typedef struct test_resources {
  unsigned fds;
  unsigned threads;
  unsigned maps;
} test_resources;

/* What this process, or `pid`, holds now. */
static inline test_resources test_count_resources(long pid) {
  char path[64];
  test_resources resources;
  snprintf(path, sizeof path, "/proc/%ld/fd", pid);
  resources.fds = test_count_entries(path);
  snprintf(path, sizeof path, "/proc/%ld/task", pid);
  resources.threads = test_count_entries(path);
  snprintf(path, sizeof path, "/proc/%ld/maps", pid);
  resources.maps = 0;
  FILE *maps = fopen(path, "r");
  for (int c; maps != NULL && (c = fgetc(maps)) != EOF;)
    resources.maps += c == '\n';
  if (maps != NULL) fclose(maps);
  return resources;
}

static inline void test_sleep(uint64_t ns) {
  nanosleep(&(struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND)},
            NULL);
}

#endif
