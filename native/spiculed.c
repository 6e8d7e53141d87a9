/*
 * The server program: arguments, signals, the service manager. Everything else is server.c.
 * The notification protocol is that of sd_notify(3), without libsystemd.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "native/client.h"
#include "native/peer.h"
#include "native/server.h"
#include "spicule/spicule.h"

/* Exit codes, as in the help text. */
enum { EXIT_SYSTEM = 1, EXIT_USAGE = 2, EXIT_IN_USE = 3, EXIT_BUSY = 4 };

#define SPICULED_COUNTERS_BYTES   ((size_t)16384)
#define SPICULED_COUNTERS_TIMEOUT UINT64_C(5000000000)

static const char spiculed_help[] =
    "usage: spiculed --socket PATH [options]\n"
    "       spiculed --connection FD [options]\n"
    "       spiculed --counters --socket PATH\n"
    "\n"
    "Runs the operations of the Spicule library for clients of the same user, over the Unix\n"
    "socket and over shared memory.\n"
    "\n"
    "  -s, --socket PATH        listen on a new socket at PATH (mode 0600)\n"
    "  -c, --connection FD      serve the connected socket FD; without --socket, stop when it\n"
    "                           is closed\n"
    "      --max-clients N      clients at the same time (256)\n"
    "      --max-request BYTES  longest request (64M); BYTES take the suffixes K, M and G\n"
    "      --max-response BYTES longest response (64M)\n"
    "      --max-memory BYTES   work memory of one client (256M)\n"
    "      --max-ring BYTES     one ring of shared memory (16M)\n"
    "      --max-depth N        nesting of messages (100)\n"
    "      --grace SECONDS      how long calls may go on after a stop (5)\n"
    "      --log-level LEVEL    error, info or debug, to standard error (error)\n"
    "      --exit-with-parent   stop when the process that started this one ends (Linux)\n"
    "      --counters           print the counters of the server at PATH as JSON\n"
    "  -h, --help               print this text\n"
    "      --version            print the version\n"
    "\n"
    "SIGTERM, SIGINT and SIGHUP stop the server: calls in progress end, the socket is removed.\n"
    "With NOTIFY_SOCKET set it tells the service manager when it is ready and when it stops.\n"
    "\n"
    "Exit codes: 0 stopped; 1 the system refused something; 2 wrong arguments; 3 another server\n"
    "listens at PATH; 4 stopped while a call was still in progress.\n";

typedef struct spiculed_arguments {
  spc__server_options server;
  spc__log_level log_level;
  bool exit_with_parent;
  bool counters;
} spiculed_arguments;

/* The one server of the process, for the signal handler. */
static spc__server *spiculed_server;

static void spiculed_on_signal(int number) {
  (void)number;
  spc__server_stop(spiculed_server);
}

static void spiculed_log(void *user, spc__log_level level, const char *line) {
  static const char *const names[] = {"error", "info", "debug"};
  const spiculed_arguments *arguments = (const spiculed_arguments *)user;
  if (level <= arguments->log_level) fprintf(stderr, "spiculed: %s: %s\n", names[level], line);
}

static void spiculed_notify(const char *state) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv("NOTIFY_SOCKET");
  size_t length = path == NULL ? 0 : strlen(path);
  int fd = -1;
  if (length == 0 || length >= sizeof address.sun_path) return;
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';
  fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0) return;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  sendto(fd, state, strlen(state), 0, (struct sockaddr *)&address, size);
  close(fd);
}

static void spiculed_stopping(void *user) {
  (void)user;
  spiculed_notify("STOPPING=1");
}

static int spiculed_fail(const char *what, spc_status status, const spc_error *error) {
  fprintf(stderr, "spiculed: %s: %s", what, spc_status_message(status));
  if (error->path[0] != '\0') fprintf(stderr, " (%s)", error->path);
  if (error->limit != SPC_NO_POSITION) fprintf(stderr, " (limit %" PRIu64 ")", error->limit);
  fputc('\n', stderr);
  return status == SPC_ADDRESS_IN_USE ? EXIT_IN_USE : EXIT_SYSTEM;
}

static int spiculed_usage(const char *option, const char *value) {
  fprintf(stderr, "spiculed: bad value for --%s: %s (see --help)\n", option, value);
  return EXIT_USAGE;
}

/* A number from `least` to `most`, with a suffix of powers of 1024 where `sizes`. */
static bool spiculed_number(const char *text, bool sizes, uint64_t least, uint64_t most,
                            uint64_t *number) {
  static const char suffixes[] = "KMG";
  char *end = NULL;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0) return false;
  const char *suffix = sizes && *end != '\0' ? strchr(suffixes, *end) : NULL;
  if (suffix != NULL) {
    unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
    if (value > UINT64_MAX >> shift) return false;
    value <<= shift;
    end++;
  }
  *number = value;
  return *end == '\0' && value >= least && value <= most;
}

static bool spiculed_level(const char *text, spc__log_level *level) {
  static const char *const names[] = {"error", "info", "debug"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *level = (spc__log_level)i;
    return true;
  }
  return false;
}

/* Options without a letter. */
enum {
  OPTION_MAX_CLIENTS = 256,
  OPTION_MAX_REQUEST,
  OPTION_MAX_RESPONSE,
  OPTION_MAX_MEMORY,
  OPTION_MAX_RING,
  OPTION_MAX_DEPTH,
  OPTION_GRACE,
  OPTION_LOG_LEVEL,
  OPTION_EXIT_WITH_PARENT,
  OPTION_COUNTERS,
  OPTION_VERSION
};

static const struct option spiculed_options[] = {
    {"socket", required_argument, NULL, 's'},
    {"connection", required_argument, NULL, 'c'},
    {"max-clients", required_argument, NULL, OPTION_MAX_CLIENTS},
    {"max-request", required_argument, NULL, OPTION_MAX_REQUEST},
    {"max-response", required_argument, NULL, OPTION_MAX_RESPONSE},
    {"max-memory", required_argument, NULL, OPTION_MAX_MEMORY},
    {"max-ring", required_argument, NULL, OPTION_MAX_RING},
    {"max-depth", required_argument, NULL, OPTION_MAX_DEPTH},
    {"grace", required_argument, NULL, OPTION_GRACE},
    {"log-level", required_argument, NULL, OPTION_LOG_LEVEL},
    {"exit-with-parent", no_argument, NULL, OPTION_EXIT_WITH_PARENT},
    {"counters", no_argument, NULL, OPTION_COUNTERS},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0}};

/* Takes one option in; false where its value is wrong. */
static bool spiculed_take(spiculed_arguments *arguments, int option, const char *value) {
  spc__server_options *server = &arguments->server;
  uint64_t number = 0;
  switch (option) {
  case 's':
    server->path = value;
    return value[0] != '\0';
  case 'c':
    if (!spiculed_number(value, false, 0, INT32_MAX, &number)) return false;
    server->connection = (int)number;
    return true;
  case OPTION_MAX_CLIENTS:
    if (!spiculed_number(value, false, 1, 100000, &number)) return false;
    server->max_clients = (uint32_t)number;
    return true;
  case OPTION_MAX_REQUEST:
    return spiculed_number(value, true, 1, UINT32_MAX, &server->limits.max_request);
  case OPTION_MAX_RESPONSE:
    return spiculed_number(value, true, 1, UINT32_MAX, &server->limits.max_response);
  case OPTION_MAX_MEMORY:
    return spiculed_number(value, true, 1, UINT32_MAX, &server->max_memory);
  case OPTION_MAX_RING:
    if (!spiculed_number(value, true, 4096, UINT32_C(256) << 20, &number)) return false;
    server->max_ring = (uint32_t)number;
    return true;
  case OPTION_MAX_DEPTH:
    if (!spiculed_number(value, false, 1, 10000, &number)) return false;
    server->limits.max_depth = (uint32_t)number;
    return true;
  case OPTION_GRACE:
    if (!spiculed_number(value, false, 0, 86400, &number)) return false;
    server->grace_ns = number * UINT64_C(1000000000);
    return true;
  case OPTION_LOG_LEVEL:
    return spiculed_level(value, &arguments->log_level);
  case OPTION_EXIT_WITH_PARENT:
    arguments->exit_with_parent = true;
    return true;
  default:
    arguments->counters = true;
    return true;
  }
}

/* Reads the command line; false when the program is to exit with `*code`. */
static bool spiculed_parse(spiculed_arguments *arguments, int argc, char **argv, int *code) {
  int option = 0, at = 0;
  *code = EXIT_USAGE;
  while ((option = getopt_long(argc, argv, "s:c:h", spiculed_options, &at)) != -1) {
    if (option == '?') return false;
    if (option == 'h' || option == OPTION_VERSION) {
      if (option == 'h')
        fputs(spiculed_help, stdout);
      else
        printf("spiculed %s\n", spc_version());
      *code = 0;
      return false;
    }
    if (!spiculed_take(arguments, option, optarg)) {
      const struct option *named = spiculed_options;
      while (named->val != option)
        named++;
      spiculed_usage(named->name, optarg);
      return false;
    }
  }
  if (optind == argc && (arguments->server.path != NULL ||
                         (arguments->server.connection >= 0 && !arguments->counters)))
    return true;
  fputs(spiculed_help, stderr);
  return false;
}

static int spiculed_print_counters(const char *path) {
  spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SOCKET, path);
  spc_client *client = NULL;
  spc_error error;
  uint8_t text[SPICULED_COUNTERS_BYTES];
  size_t length = 0;
  spc_status status = spc_client_open(&client, &options, &error);
  if (status == SPC_OK)
    status = spc_client_call(client, SPC_OP_COUNTERS, NULL, 0, text, sizeof text, &length,
                             SPICULED_COUNTERS_TIMEOUT, &error);
  spc_client_close(client);
  if (status != SPC_OK) return spiculed_fail(path, status, &error);
  printf("%.*s\n", (int)length, (const char *)text);
  return 0;
}

/* Asks for SIGTERM when the parent ends; false where that can't be had. */
static bool spiculed_follow_parent(pid_t parent) {
#ifdef __linux__
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return false;
  if (getppid() != parent) raise(SIGTERM); /* it was quicker */
  return true;
#else
  (void)parent;
  return false;
#endif
}

/* The signals that stop the server. */
static const int spiculed_stops[] = {SIGTERM, SIGINT, SIGHUP};
#define SPICULED_STOPS (sizeof spiculed_stops / sizeof spiculed_stops[0])

static void spiculed_mask_stops(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < SPICULED_STOPS; i++)
    sigaddset(&set, spiculed_stops[i]);
  pthread_sigmask(how, &set, NULL);
}

/* From here on signals stop the server; those that came while they were masked do it now. */
static void spiculed_catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = spiculed_on_signal;
  for (size_t i = 0; i < SPICULED_STOPS; i++)
    sigaction(spiculed_stops[i], &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
  spiculed_mask_stops(SIG_UNBLOCK);
}

int main(int argc, char **argv) {
  pid_t parent = getppid();
  int code = 0;
  spiculed_arguments arguments = {.server = spc__server_options_default()};
  if (!spiculed_parse(&arguments, argc, argv, &code)) return code;
  if (arguments.counters) return spiculed_print_counters(arguments.server.path);
  arguments.server.log = spiculed_log;
  arguments.server.stopping = spiculed_stopping;
  arguments.server.user = &arguments;
  spc_error error;
  spiculed_mask_stops(SIG_BLOCK); /* a client can be served before there is anything to stop */
  spc_status status = spc__server_open(&spiculed_server, &arguments.server, &error);
  if (status != SPC_OK) {
    const char *path = arguments.server.path;
    return spiculed_fail(path == NULL ? "connection" : path, status, &error);
  }
  spiculed_catch_signals();
  if (arguments.exit_with_parent && !spiculed_follow_parent(parent)) {
    fputs("spiculed: --exit-with-parent is not possible here\n", stderr);
    spc__server_close(spiculed_server);
    return EXIT_SYSTEM;
  }
  spiculed_notify("READY=1");
  spiculed_log(&arguments, SPC_LOG_INFO, "ready");
  if (spc__server_run(spiculed_server) != SPC_OK) {
    spiculed_log(&arguments, SPC_LOG_ERROR, "stopped while a call was still in progress");
    _exit(EXIT_BUSY);
  }
  spiculed_log(&arguments, SPC_LOG_INFO, "stopped");
  spc__server_close(spiculed_server);
  return 0;
}
