/*
 * spiculed as a program: arguments and exit codes, its socket file, signals, the service manager,
 * and the death of either end.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "transport/support.h"

static const char program_path[] = TEST_SPICULED;

#define PROGRAM_ARGUMENTS 12

/* What a child does before it becomes spiculed; may be NULL. */
typedef void (*program_before)(void);

typedef struct program {
  pid_t pid;
  int output; /* of both streams */
} program;

static program program_start(program_before before, const char *const *arguments) {
  program self;
  int ends[2];
  char *argv[PROGRAM_ARGUMENTS] = {(char *)(uintptr_t)program_path};
  for (size_t i = 0; arguments[i] != NULL; i++)
    argv[i + 1] = (char *)(uintptr_t)arguments[i];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  fflush(NULL);
  self.pid = fork();
  if (self.pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    if (before != NULL) before();
    execv(program_path, argv);
    _exit(127);
  }
  close(ends[1]);
  self.output = ends[0];
  return self;
}

/* A server at test_path, once it answers. */
static program program_start_server(program_before before) {
  const char *const arguments[] = {"--socket", test_path, NULL};
  program self = program_start(before, arguments);
  spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SOCKET, test_path);
  spc_client *client = NULL;
  spc_error error;
  options.timeout_ns = TEST_TIMEOUT;
  CHECK_STATUS(spc_client_open(&client, &options, &error), SPC_OK);
  spc_client_close(client);
  return self;
}

/* Waits for its end and gives the exit code, or minus the signal; `text` gets its output. */
static int program_wait(program *self, char *text, size_t room) {
  int status = 0;
  size_t length = 0;
  char rest[512];
  for (ssize_t got; (got = read(self->output, rest, sizeof rest)) > 0;) {
    for (ssize_t i = 0; i < got; i++)
      if (length + 1 < room) text[length++] = rest[i];
  }
  if (room != 0) text[length] = '\0';
  close(self->output);
  CHECK(waitpid(self->pid, &status, 0) == self->pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int program_stop(program *self, int number) {
  kill(self->pid, number);
  return program_wait(self, NULL, 0);
}

static int program_run(const char *const *arguments, char *text, size_t room) {
  program self = program_start(NULL, arguments);
  return program_wait(&self, text, room);
}

static void test_help_and_version_go_to_the_output(void) {
  char text[4096];
  const char *const help[] = {"--help", NULL}, *const version[] = {"--version", NULL};
  CHECK_U64(program_run(help, text, sizeof text), 0);
  CHECK(strncmp(text, "usage: spiculed", 15) == 0);
  CHECK(strstr(text, "Exit codes") != NULL);
  CHECK_U64(program_run(version, text, sizeof text), 0);
  CHECK(strcmp(text, "spiculed " SPC_VERSION_STRING "\n") == 0);
}

static void test_wrong_arguments_are_code_2(void) {
  static const char *const cases[][4] = {{NULL},
                                         {"--nonsense", NULL},
                                         {"--socket", NULL},
                                         {"--socket", "", NULL},
                                         {"-s", "x", "extra", NULL},
                                         {"--counters", NULL},
                                         {"--connection", "x", NULL},
                                         {"--connection", "-1", NULL},
                                         {"-sx", "--max-clients", "0", NULL},
                                         {"-sx", "--max-clients", "1x", NULL},
                                         {"-sx", "--max-request", "99999999999999999999", NULL},
                                         {"-sx", "--max-request", "5T", NULL},
                                         {"-sx", "--max-ring", "1", NULL},
                                         {"-sx", "--grace", "-1", NULL},
                                         {"-sx", "--log-level", "loud", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[4096];
    CHECK_U64(program_run(cases[i], text, sizeof text), 2);
    CHECK(text[0] != '\0');
  }
}

static void test_what_the_system_refuses_is_code_1(void) {
  char text[1024], path[200];
  const char *const arguments[] = {"--socket", path, NULL};
  const char *const connection[] = {"--connection", "77", NULL};
  snprintf(path, sizeof path, "%s/missing/socket", test_folder);
  CHECK_U64(program_run(arguments, text, sizeof text), 1);
  CHECK(strstr(text, "No such file") != NULL);
  memset(path, 'x', 150);
  path[150] = '\0';
  CHECK_U64(program_run(arguments, text, sizeof text), 1);
  CHECK(strstr(text, "limit 107") != NULL);
  CHECK_U64(program_run(connection, text, sizeof text), 1);
}

static void test_a_second_server_on_the_path_is_code_3(void) {
  char text[1024];
  const char *const arguments[] = {"--socket", test_path, NULL};
  program first = program_start_server(NULL);
  CHECK_U64(program_run(arguments, text, sizeof text), 3);
  CHECK(strstr(text, "another server") != NULL);
  spc_client *client = test_open(SPC_TRANSPORT_SOCKET, 0);
  test_check_call(client, 10);
  spc_client_close(client);
  CHECK_U64(program_stop(&first, SIGTERM), 0);
  CHECK(access(test_path, F_OK) != 0);
}

/* Of many that start at once over a stale file exactly one serves. */
static void test_of_servers_that_race_for_the_path_one_wins(void) {
  const char *const arguments[] = {"--socket", test_path, NULL};
  program killed = program_start_server(NULL), racers[6];
  CHECK(program_stop(&killed, SIGKILL) == -SIGKILL);
  CHECK(access(test_path, F_OK) == 0);
  for (size_t i = 0; i < 6; i++)
    racers[i] = program_start(NULL, arguments);
  unsigned lost = 0;
  size_t winner = 6;
  for (uint64_t end = spc__now() + TEST_TIMEOUT; lost < 5 && spc__now() < end;) {
    lost = 0;
    for (size_t i = 0; i < 6; i++) {
      siginfo_t info = {0};
      waitid(P_PID, (id_t)racers[i].pid, &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid != 0)
        lost++;
      else
        winner = i;
    }
    test_sleep(MILLISECOND);
  }
  CHECK_U64(lost, 5);
  spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 0);
  test_check_call(client, 10);
  spc_client_close(client);
  for (size_t i = 0; i < 6; i++) {
    if (i == winner)
      CHECK_U64(program_stop(&racers[i], SIGTERM), 0);
    else
      CHECK_U64(program_wait(&racers[i], NULL, 0), 3);
  }
}

static void test_a_stale_socket_is_replaced_and_other_files_are_not(void) {
  char text[1024];
  const char *const arguments[] = {"--socket", test_path, NULL};
  program first = program_start_server(NULL);
  CHECK(program_stop(&first, SIGKILL) == -SIGKILL);
  CHECK(access(test_path, F_OK) == 0);
  program second = program_start_server(NULL);
  CHECK_U64(program_stop(&second, SIGINT), 0);
  int fd = open(test_path, O_CREAT | O_WRONLY, 0600);
  CHECK(fd >= 0 && write(fd, "x", 1) == 1);
  close(fd);
  CHECK_U64(program_run(arguments, text, sizeof text), 1);
  CHECK(strstr(text, "not a socket") != NULL);
  CHECK(unlink(test_path) == 0);
}

static void program_open_mask(void) {
  umask(0);
}

static void test_the_socket_is_for_the_user_alone(void) {
  struct stat file;
  program server = program_start_server(program_open_mask);
  CHECK(stat(test_path, &file) == 0);
  CHECK_U64(file.st_mode & 0777, 0600);
  CHECK(S_ISSOCK(file.st_mode));
  CHECK_U64(program_stop(&server, SIGHUP), 0);
}

/* A socket file that someone else has put in place of ours stays. */
static void test_a_server_removes_its_own_socket_only(void) {
  char other[128];
  snprintf(other, sizeof other, "%s/other", test_folder);
  program server = program_start_server(NULL);
  CHECK(rename(test_path, other) == 0);
  int fd = open(test_path, O_CREAT | O_WRONLY, 0600);
  close(fd);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
  CHECK(unlink(test_path) == 0);
  CHECK(unlink(other) == 0);
}

/* As another user: opens a client and exits with its status. */
static int program_open_as_nobody(spc_transport kind) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    spc_client_options options = spc_client_options_default(kind, test_path);
    spc_client *client = NULL;
    spc_error error;
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(255);
    _exit((int)spc_client_open(&client, &options, &error));
  }
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid);
  return WEXITSTATUS(status);
}

static void program_as_nobody(void) {
  if (setgid(65534) != 0 || setuid(65534) != 0) _exit(126);
}

static void test_other_users_are_refused_both_ways(void) {
  if (geteuid() != 0) {
    test_skip("other users", "only root can act as one");
    return;
  }
  CHECK(chmod(test_folder, 0777) == 0);
  program server = program_start_server(NULL);
  for (size_t k = 0; k < TEST_KINDS; k++) {
    CHECK_STATUS(program_open_as_nobody(test_kinds[k]), SPC_UNREACHABLE);
    CHECK(chmod(test_path, 0666) == 0);
    CHECK_STATUS(program_open_as_nobody(test_kinds[k]), SPC_PEER_REFUSED);
    CHECK(chmod(test_path, 0600) == 0);
  }
  CHECK_U64(program_stop(&server, SIGTERM), 0);
  /* And a server of another user is not believed. */
  const char *const arguments[] = {"--socket", test_path, NULL};
  server = program_start(program_as_nobody, arguments);
  for (size_t k = 0; k < TEST_KINDS; k++) {
    spc_client_options options = spc_client_options_default(test_kinds[k], test_path);
    spc_client *client = NULL;
    spc_error error;
    options.timeout_ns = TEST_TIMEOUT;
    CHECK_STATUS(spc_client_open(&client, &options, &error), SPC_PEER_REFUSED);
  }
  int code = program_stop(&server, SIGTERM);
  /* Where spiculed lies in a folder that others can't enter, it can't be run as one. */
  if (code == 127)
    test_skip("a server of another user", "it can't run the program");
  else
    CHECK_U64(code, 0);
  CHECK(chmod(test_folder, 0700) == 0);
}

/* Calls of a client in a thread, until one fails. */
typedef struct program_caller {
  pthread_t thread;
  spc_client *client;
  const uint8_t *request;
  size_t length;
  unsigned good;
  spc_status end;
} program_caller;

static void *program_call(void *user) {
  program_caller *self = (program_caller *)user;
  spc_error error;
  do {
    self->end = test_call_status(self->client, SPC_OP_HASH, self->request, self->length,
                                 SPC_NO_TIMEOUT, &error);
    self->good += self->end == SPC_OK;
  } while (self->end == SPC_OK);
  return NULL;
}

#define PROGRAM_CALLERS 4

/* Clients of both kinds that are in the middle of calls when `number` hits the server. */
static int program_end_during_calls(program *server, size_t fields, int number,
                                    program_caller *callers) {
  uint8_t *request = (uint8_t *)calloc(fields, SPC_FIELD_BYTES);
  for (size_t i = 0; i < PROGRAM_CALLERS; i++) {
    callers[i] = (program_caller){.client = test_open(test_kinds[i % TEST_KINDS], 0),
                                  .request = request,
                                  .length = fields * SPC_FIELD_BYTES};
    CHECK(pthread_create(&callers[i].thread, NULL, program_call, &callers[i]) == 0);
  }
  test_sleep(100 * MILLISECOND);
  int code = program_stop(server, number);
  for (size_t i = 0; i < PROGRAM_CALLERS; i++) {
    pthread_join(callers[i].thread, NULL);
    spc_client_close(callers[i].client);
  }
  free(request);
  return code;
}

static void test_the_death_of_the_server_ends_calls_with_an_error(void) {
  static const size_t fields[] = {1, 50000};
  for (size_t i = 0; i < 2; i++) {
    program_caller callers[PROGRAM_CALLERS];
    program server = program_start_server(NULL);
    CHECK(program_end_during_calls(&server, fields[i], SIGKILL, callers) == -SIGKILL);
    for (size_t k = 0; k < PROGRAM_CALLERS; k++)
      CHECK_STATUS(callers[k].end, SPC_DISCONNECTED);
    CHECK(unlink(test_path) == 0);
  }
}

static void test_a_stop_lets_calls_end_and_leaves_nothing(void) {
  static const size_t fields[] = {1, 5000};
  for (size_t i = 0; i < 2; i++) {
    program_caller callers[PROGRAM_CALLERS];
    program server = program_start_server(NULL);
    CHECK_U64(program_end_during_calls(&server, fields[i], SIGTERM, callers), 0);
    for (size_t k = 0; k < PROGRAM_CALLERS; k++)
      CHECK_STATUS(callers[k].end, SPC_DISCONNECTED);
    CHECK(access(test_path, F_OK) != 0);
  }
}

/* How many calls the server has begun, this one included. */
static unsigned long program_count_calls(spc_client *client) {
  uint8_t text[8192] = {0};
  size_t length = 0;
  spc_error error;
  CHECK_STATUS(spc_client_call(client, SPC_OP_COUNTERS, NULL, 0, text, sizeof text - 1, &length,
                               TEST_TIMEOUT, &error),
               SPC_OK);
  const char *calls = strstr((const char *)text, "\"calls\":");
  CHECK(calls != NULL);
  return calls == NULL ? 0 : strtoul(calls + 8, NULL, 10);
}

/* A call that goes on for longer than the time of grace ends with the process. */
static void test_a_stop_without_grace_is_code_4(void) {
  const char *const arguments[] = {"--socket", test_path, "--grace", "0", NULL};
  program server = program_start(NULL, arguments);
  program_caller caller = {.length = (size_t)64 << 20};
  spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SHARED_MEMORY, test_path);
  spc_error error;
  options.timeout_ns = TEST_TIMEOUT;
  CHECK_STATUS(spc_client_open(&caller.client, &options, &error), SPC_OK);
  spc_client *witness = test_open(SPC_TRANSPORT_SOCKET, 0);
  uint8_t *request = (uint8_t *)calloc(1, caller.length);
  caller.request = request;
  unsigned long calls = program_count_calls(witness);
  CHECK(pthread_create(&caller.thread, NULL, program_call, &caller) == 0);
  while (program_count_calls(witness) == ++calls)
    test_sleep(MILLISECOND);
  int code = program_stop(&server, SIGTERM);
  pthread_join(caller.thread, NULL);
  /* A machine that is done by then stops cleanly. */
  CHECK(code == 4 || (code == 0 && caller.good > 0));
  CHECK_STATUS(caller.end, SPC_DISCONNECTED);
  CHECK(access(test_path, F_OK) != 0);
  spc_client_close(caller.client);
  spc_client_close(witness);
  free(request);
}

static void test_a_stopped_server_is_a_deadline(void) {
  program server = program_start_server(NULL);
  spc_client *clients[TEST_KINDS];
  spc_error error;
  for (size_t k = 0; k < TEST_KINDS; k++)
    clients[k] = test_open(test_kinds[k], 0);
  int state = 0;
  kill(server.pid, SIGSTOP);
  CHECK(waitpid(server.pid, &state, WUNTRACED) == server.pid && WIFSTOPPED(state));
  for (size_t k = 0; k < TEST_KINDS; k++)
    CHECK_STATUS(test_call_status(clients[k], SPC_OP_SHA256, NULL, 0, 30 * MILLISECOND, &error),
                 SPC_DEADLINE);
  kill(server.pid, SIGCONT);
  for (size_t k = 0; k < TEST_KINDS; k++) {
    test_check_call(clients[k], 99);
    spc_client_close(clients[k]);
  }
  CHECK_U64(program_stop(&server, SIGTERM), 0);
}

/* Runs clients in a process that is killed in the middle of its calls. */
static void program_kill_clients(void) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    size_t length = 2000 * SPC_FIELD_BYTES;
    uint8_t *request = (uint8_t *)calloc(1, length);
    program_caller callers[TEST_KINDS];
    for (size_t k = 0; k < TEST_KINDS; k++) {
      callers[k] = (program_caller){
          .client = test_open(test_kinds[k], 4096), .request = request, .length = length};
      pthread_create(&callers[k].thread, NULL, program_call, &callers[k]);
    }
    pause();
  }
  test_sleep(60 * MILLISECOND);
  kill(pid, SIGKILL);
  CHECK(waitpid(pid, NULL, 0) == pid);
}

static void test_killed_clients_leave_nothing_in_the_server(void) {
  program server = program_start_server(NULL);
  spc_client *witness = test_open(SPC_TRANSPORT_SHARED_MEMORY, 0);
  test_check_call(witness, 10);
  test_sleep(20 * MILLISECOND);
  test_resources before = test_count_resources(server.pid), after = {0};
  for (int i = 0; i < 5; i++) {
    program_kill_clients();
    test_check_call(witness, 10);
  }
  for (int i = 0; i < 500; i++) {
    after = test_count_resources(server.pid);
    if (after.fds <= before.fds && after.threads <= before.threads) break;
    test_sleep(10 * MILLISECOND);
  }
  CHECK_U64(after.fds, before.fds);
  CHECK_U64(after.threads, before.threads);
  test_check_call(witness, 10);
  spc_client_close(witness);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
}

static void program_few_descriptors(void) {
  const struct rlimit few = {.rlim_cur = 14, .rlim_max = 14};
  setrlimit(RLIMIT_NOFILE, &few);
}

/* Clients come until the server has no descriptor left; then they are told, and others work on. */
static void test_a_server_without_descriptors_says_so(void) {
  program server = program_start_server(program_few_descriptors);
  spc_client *clients[20] = {NULL};
  spc_status status = SPC_OK;
  spc_error error;
  size_t count = 0;
  for (; count < 20 && status == SPC_OK; count++) {
    spc_client_options options =
        spc_client_options_default(test_kinds[count % TEST_KINDS], test_path);
    status = spc_client_open(&clients[count], &options, &error);
  }
  CHECK_STATUS(status, SPC_NO_DESCRIPTORS);
  CHECK(count > 2);
  for (size_t i = 0; i < 20; i++) {
    if (clients[i] == NULL) continue;
    test_check_call(clients[i], 10);
    spc_client_close(clients[i]);
  }
  status = SPC_NO_DESCRIPTORS;
  for (int i = 0; i < 500 && status == SPC_NO_DESCRIPTORS; i++) {
    spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SHARED_MEMORY, test_path);
    spc_client *client = NULL;
    test_sleep(5 * MILLISECOND);
    status = spc_client_open(&client, &options, &error);
    spc_client_close(client);
  }
  CHECK_STATUS(status, SPC_OK);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
}

static void test_counters_are_printed_on_request(void) {
  char text[4096];
  const char *const arguments[] = {"--counters", "--socket", test_path, NULL};
  program server = program_start_server(NULL);
  spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 0);
  test_check_call(client, 100);
  CHECK_U64(program_run(arguments, text, sizeof text), 0);
  CHECK(text[0] == '{' && strstr(text, "\"calls\":") != NULL && strstr(text, "}}\n") != NULL);
  spc_client_close(client);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
  CHECK_U64(program_run(arguments, text, sizeof text), 1);
}

/* The service manager's side of sd_notify(3). */
static int program_manager;
static char program_manager_path[128];

static void program_with_manager(void) {
  setenv("NOTIFY_SOCKET", program_manager_path, 1);
}

static void program_expect_message(const char *expected) {
  char text[64] = {0};
  ssize_t length = recv(program_manager, text, sizeof text - 1, 0);
  CHECK(length > 0 && strcmp(text, expected) == 0);
}

static void test_the_service_manager_is_told(bool abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t size = sizeof address;
  if (abstract) {
    snprintf(program_manager_path, sizeof program_manager_path, "@spicule-test-%ld",
             (long)getpid());
    memcpy(address.sun_path + 1, program_manager_path + 1, strlen(program_manager_path) - 1);
    size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(program_manager_path));
  } else {
    snprintf(program_manager_path, sizeof program_manager_path, "%s/notify", test_folder);
    strcpy(address.sun_path, program_manager_path);
  }
  program_manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  CHECK(bind(program_manager, (struct sockaddr *)&address, size) == 0);
  const char *const arguments[] = {"--socket", test_path, NULL};
  program server = program_start(program_with_manager, arguments);
  program_expect_message("READY=1");
  spc_client *client = test_open(SPC_TRANSPORT_SOCKET, 0); /* ready means ready */
  spc_client_close(client);
  kill(server.pid, SIGTERM);
  program_expect_message("STOPPING=1");
  CHECK_U64(program_wait(&server, NULL, 0), 0);
  close(program_manager);
  if (!abstract) CHECK(unlink(program_manager_path) == 0);
}

/* Waits until nothing answers at the path any more. */
static void program_check_gone(void) {
  for (int i = 0; i < 1000 && access(test_path, F_OK) == 0; i++)
    test_sleep(10 * MILLISECOND);
  CHECK(access(test_path, F_OK) != 0);
}

static void test_a_server_can_end_with_its_parent(void) {
  int ready[2];
  char byte;
  CHECK(pipe2(ready, O_CLOEXEC) == 0);
  fflush(NULL);
  pid_t parent = fork();
  if (parent == 0) {
    const char *const arguments[] = {"--socket", test_path, "--exit-with-parent", NULL};
    char *argv[] = {(char *)(uintptr_t)program_path, (char *)(uintptr_t)arguments[0],
                    (char *)(uintptr_t)arguments[1], (char *)(uintptr_t)arguments[2], NULL};
    if (fork() == 0) {
      execv(program_path, argv);
      _exit(127);
    }
    for (int i = 0; i < 1000 && access(test_path, F_OK) != 0; i++)
      test_sleep(5 * MILLISECOND);
    test_sleep(50 * MILLISECOND);
    (void)!write(ready[1], "r", 1);
    pause();
  }
  CHECK(read(ready[0], &byte, 1) == 1);
  spc_client *client = test_open(SPC_TRANSPORT_SHARED_MEMORY, 0);
  test_check_call(client, 10);
  kill(parent, SIGKILL);
  CHECK(waitpid(parent, NULL, 0) == parent);
  program_check_gone();
  spc_client_close(client);
  close(ready[0]);
  close(ready[1]);
}

static int program_connection;

static void program_with_connection(void) {
  dup2(program_connection, 3);
}

/* Both kinds over a socket pair, without any path; the server ends with the connection. */
static void test_a_connection_can_be_inherited(void) {
  for (size_t k = 0; k < TEST_KINDS; k++) {
    int pair[2];
    const char *const arguments[] = {"--connection", "3", NULL};
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    program_connection = pair[1];
    program server = program_start(program_with_connection, arguments);
    close(pair[1]);
    spc_client_options options = spc_client_options_default(test_kinds[k], NULL);
    spc_client *client = NULL;
    spc_error error;
    options.fd = pair[0];
    options.timeout_ns = TEST_TIMEOUT;
    CHECK_STATUS(spc_client_open(&client, &options, &error), SPC_OK);
    test_check_call(client, 1000);
    spc_client_close(client);
    CHECK_U64(program_wait(&server, NULL, 0), 0);
  }
}

static void program_on_first_cpu(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void test_both_ends_on_one_core_work(void) {
  cpu_set_t old;
  CHECK(sched_getaffinity(0, sizeof old, &old) == 0);
  if (!CPU_ISSET(0, &old)) {
    test_skip("both ends on one core", "CPU 0 is not among those allowed");
    return;
  }
  program server = program_start_server(program_on_first_cpu);
  program_on_first_cpu();
  for (size_t k = 0; k < TEST_KINDS; k++) {
    spc_client *client = test_open(test_kinds[k], 4096);
    for (size_t i = 0; i < 300; i++)
      test_check_call(client, i * 40);
    spc_client_close(client);
  }
  sched_setaffinity(0, sizeof old, &old);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
}

/* One that never reads, one that sends garbage, and fourteen that work. */
static void test_sixteen_clients_of_which_two_misbehave(void) {
  program server = program_start_server(NULL);
  spc_client *clients[14];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int slow = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int hostile = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strcpy(address.sun_path, test_path);
  CHECK(connect(slow, (struct sockaddr *)&address, sizeof address) == 0);
  CHECK(connect(hostile, (struct sockaddr *)&address, sizeof address) == 0);
  for (size_t i = 0; i < 14; i++)
    clients[i] = test_open(test_kinds[i % TEST_KINDS], 4096);
  for (size_t round = 0; round < 20; round++) {
    (void)!send(slow, "SPCQ", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)!send(hostile, clients, sizeof clients, MSG_NOSIGNAL | MSG_DONTWAIT);
    for (size_t i = 0; i < 14; i++)
      test_check_call(clients[i], round * 31);
  }
  for (size_t i = 0; i < 14; i++)
    spc_client_close(clients[i]);
  close(slow);
  close(hostile);
  CHECK_U64(program_stop(&server, SIGTERM), 0);
}

int main(void) {
  test_folder_begin();
  test_help_and_version_go_to_the_output();
  test_wrong_arguments_are_code_2();
  test_what_the_system_refuses_is_code_1();
  test_a_second_server_on_the_path_is_code_3();
  test_of_servers_that_race_for_the_path_one_wins();
  test_a_stale_socket_is_replaced_and_other_files_are_not();
  test_the_socket_is_for_the_user_alone();
  test_a_server_removes_its_own_socket_only();
  test_other_users_are_refused_both_ways();
  test_the_death_of_the_server_ends_calls_with_an_error();
  test_a_stop_lets_calls_end_and_leaves_nothing();
  test_a_stop_without_grace_is_code_4();
  test_a_stopped_server_is_a_deadline();
  test_killed_clients_leave_nothing_in_the_server();
  test_a_server_without_descriptors_says_so();
  test_counters_are_printed_on_request();
  test_the_service_manager_is_told(false);
  test_the_service_manager_is_told(true);
  test_a_server_can_end_with_its_parent();
  test_a_connection_can_be_inherited();
  test_both_ends_on_one_core_work();
  test_sixteen_clients_of_which_two_misbehave();
  test_folder_end();
  return test_end();
}
