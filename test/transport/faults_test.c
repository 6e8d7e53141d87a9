/*
 * Memory, descriptors and threads that can't be had: each is a status of the call that needed it,
 * nothing is left behind, and the next try works. The functions that fail are wrapped by the
 * linker.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "transport/support.h"

/* How many calls of each function are to fail from now on, and with what. */
typedef struct fault {
  _Atomic int left;
  int number;
} fault;

static fault faults_memfd = {0, ENFILE}, faults_fallocate = {0, ENOSPC}, faults_mmap = {0, ENOMEM},
             faults_thread = {0, EAGAIN}, faults_calloc = {0, ENOMEM}, faults_realloc = {0, ENOMEM},
             faults_malloc = {0, ENOMEM}, faults_accept = {0, EMFILE}, faults_socket = {0, EMFILE};

static bool fault_strikes(fault *self) {
  int left = atomic_load(&self->left);
  while (left > 0)
    if (atomic_compare_exchange_weak(&self->left, &left, left - 1)) return true;
  return false;
}

/* clang-format off */
#define WRAP(type, name, parameters, arguments, fault, failure)                                     \
  type __real_##name parameters;                                                                    \
  type __wrap_##name parameters;                                                                    \
  type __wrap_##name parameters {                                                                   \
    if (!fault_strikes(&(fault))) return __real_##name arguments;                                   \
    errno = (fault).number;                                                                         \
    return failure;                                                                                 \
  }
/* clang-format on */

WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), faults_memfd, -1)
WRAP(int, posix_fallocate, (int fd, off_t at, off_t size), (fd, at, size), faults_fallocate, ENOSPC)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
     (thread, attributes, run, user), faults_thread, EAGAIN)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), faults_calloc, NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), faults_realloc, NULL)
WRAP(void *, malloc, (size_t size), (size), faults_malloc, NULL)
WRAP(int, accept4, (int fd, struct sockaddr *address, socklen_t *length, int flags),
     (fd, address, length, flags), faults_accept, -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), faults_socket, -1)

/* Only of shared memory: others map files too. */
void *__real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_SHARED) == 0 || !fault_strikes(&faults_mmap))
    return __real_mmap(address, length, protection, flags, fd, offset);
  errno = faults_mmap.number;
  return MAP_FAILED;
}

static spc_status faults_open(spc_transport kind, spc_error *error) {
  spc_client_options options = spc_client_options_default(kind, test_path);
  spc_client *client = NULL;
  spc_status status = spc_client_open(&client, &options, error);
  CHECK((status == SPC_OK) == (client != NULL));
  spc_client_close(client);
  return status;
}

/* Waits until the server has no client any more, and gives the descriptors that are open. */
static unsigned faults_settled(void) {
  unsigned now = test_count_resources(getpid()).fds;
  for (int i = 0; i < 100; i++) {
    test_sleep(5 * MILLISECOND);
    unsigned next = test_count_resources(getpid()).fds;
    if (i > 4 && next == now) break;
    now = next;
  }
  return now;
}

typedef struct faults_case {
  const char *what;
  fault *fault;
  spc_status expected;
  bool on_socket; /* also for clients that use no shared memory */
} faults_case;

static const faults_case faults_cases[] = {
    {"memfd_create", &faults_memfd, SPC_NO_DESCRIPTORS, false},
    {"posix_fallocate", &faults_fallocate, SPC_NO_SHARED_MEMORY, false},
    {"mmap", &faults_mmap, SPC_NO_SHARED_MEMORY, false},
    {"pthread_create", &faults_thread, SPC_NO_THREADS, true},
    {"calloc", &faults_calloc, SPC_OUT_OF_MEMORY, true},
    {"malloc", &faults_malloc, SPC_OUT_OF_MEMORY, true},
    {"accept4", &faults_accept, SPC_NO_DESCRIPTORS, true},
    {"socket", &faults_socket, SPC_NO_DESCRIPTORS, true},
};

static void test_what_can_not_be_had_is_a_status_and_the_next_try_works(void) {
  for (size_t i = 0; i < sizeof faults_cases / sizeof faults_cases[0]; i++) {
    const faults_case *one = &faults_cases[i];
    for (size_t k = 0; k < TEST_KINDS; k++) {
      if (!one->on_socket && test_kinds[k] == SPC_TRANSPORT_SOCKET) continue;
      spc_error error = {0};
      unsigned before = faults_settled();
      atomic_store(&one->fault->left, 1);
      spc_status status = faults_open(test_kinds[k], &error);
      if (status != one->expected) fprintf(stderr, "%s: %s\n", one->what, spc_status_name(status));
      CHECK_STATUS(status, one->expected);
      CHECK_STATUS(error.status, one->expected);
      CHECK(atomic_load(&one->fault->left) == 0);
      CHECK(faults_settled() <= before);
      CHECK_STATUS(faults_open(test_kinds[k], &error), SPC_OK);
    }
  }
}

/* The second mmap of an attach is the client's own. */
static void test_a_client_that_can_not_map_says_so(void) {
  spc_error error = {0};
  unsigned before = faults_settled();
  for (int left = 1; left <= 2; left++) {
    atomic_store(&faults_mmap.left, left);
    CHECK_STATUS(faults_open(SPC_TRANSPORT_SHARED_MEMORY, &error), SPC_NO_SHARED_MEMORY);
    CHECK(strncmp(error.path, "mmap", 4) == 0);
    atomic_store(&faults_mmap.left, 0);
  }
  CHECK(faults_settled() <= before);
}

static void test_memory_for_a_call_that_can_not_be_had_is_its_answer(void) {
  for (size_t k = 0; k < TEST_KINDS; k++) {
    spc_client *client = test_open(test_kinds[k], 0);
    spc_error error;
    uint8_t request[64] = {0};
    for (int left = 1; left <= 2; left++) {
      atomic_store(&faults_realloc.left, 1);
      CHECK_STATUS(test_call_status(client, SPC_OP_SHA256_PAIRS, request, 64, TEST_TIMEOUT, &error),
                   SPC_OUT_OF_MEMORY);
    }
    test_check_call(client, 1000);
    test_check_call(client, 300000);
    spc_client_close(client);
  }
}

static void test_a_server_that_can_not_be_made_is_a_status(void) {
  static const struct {
    fault *fault;
    spc_status expected;
  } cases[] = {{&faults_calloc, SPC_OUT_OF_MEMORY}, {&faults_socket, SPC_NO_DESCRIPTORS}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    spc__server_options options = spc__server_options_default();
    spc__server *server = NULL;
    spc_error error;
    char path[128];
    unsigned before = test_count_resources(getpid()).fds;
    snprintf(path, sizeof path, "%s/other", test_folder);
    options.path = path;
    atomic_store(&cases[i].fault->left, 1);
    CHECK_STATUS(spc__server_open(&server, &options, &error), cases[i].expected);
    CHECK(server == NULL);
    CHECK(access(path, F_OK) != 0);
    CHECK(test_count_resources(getpid()).fds <= before);
  }
}

/* A process that has as many descriptors as it may: its client says so. */
static void test_a_client_without_descriptors_says_so(void) {
  struct rlimit old, none = {0};
  spc_error error = {0};
  unsigned open_now = faults_settled();
  CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
  none.rlim_cur = 3;
  none.rlim_max = old.rlim_max;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  for (size_t k = 0; k < TEST_KINDS; k++)
    CHECK_STATUS(faults_open(test_kinds[k], &error), SPC_NO_DESCRIPTORS);
  CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
  CHECK(faults_settled() <= open_now);
  for (size_t k = 0; k < TEST_KINDS; k++)
    CHECK_STATUS(faults_open(test_kinds[k], &error), SPC_OK);
}

static void test_more_clients_than_allowed_are_told(void) {
  spc__server_options options = spc__server_options_default();
  test_server server;
  spc_client *clients[2];
  spc_error error;
  options.path = test_path;
  options.max_clients = 2;
  test_server_start_with(&server, options);
  for (size_t k = 0; k < TEST_KINDS; k++)
    clients[k] = test_open(test_kinds[k], 4096);
  for (size_t k = 0; k < TEST_KINDS; k++) {
    CHECK_STATUS(faults_open(test_kinds[k], &error), SPC_TOO_MANY_CLIENTS);
    CHECK_U64(error.limit, 2);
  }
  for (size_t k = 0; k < TEST_KINDS; k++) {
    test_check_call(clients[k], 10);
    spc_client_close(clients[k]);
  }
  spc_status status = SPC_TOO_MANY_CLIENTS;
  for (int i = 0; i < 500 && status == SPC_TOO_MANY_CLIENTS; i++) {
    test_sleep(5 * MILLISECOND);
    status = faults_open(SPC_TRANSPORT_SOCKET, &error);
  }
  CHECK_STATUS(status, SPC_OK);
  test_server_stop(&server);
}

static void test_rings_that_the_server_does_not_make_are_refused(void) {
  static const uint32_t sizes[] = {0, 1, 4095, 5000, UINT32_C(32) << 20, UINT32_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SHARED_MEMORY, test_path);
    spc_client *client = NULL;
    spc_error error;
    options.ring_bytes = sizes[i];
    CHECK_STATUS(spc_client_open(&client, &options, &error), SPC_INVALID_ARGUMENT);
  }
}

int main(void) {
  test_server server;
  test_folder_begin();
  test_server_start(&server);
  test_what_can_not_be_had_is_a_status_and_the_next_try_works();
  test_a_client_that_can_not_map_says_so();
  test_memory_for_a_call_that_can_not_be_had_is_its_answer();
  test_a_server_that_can_not_be_made_is_a_status();
  test_a_client_without_descriptors_says_so();
  test_rings_that_the_server_does_not_make_are_refused();
  test_server_stop(&server);
  test_more_clients_than_allowed_are_told();
  test_folder_end();
  return test_end();
}
