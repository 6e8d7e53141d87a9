/*
 * One thread (that of spc__server_run) accepts, hears of clients that went, and collects finished
 * sessions; it never waits for a client. Sessions are linked and unlinked by it alone, under the
 * mutex, so that any session can sum the counters. A pipe wakes it: when a session ends, and for a
 * stop. A descriptor is held in reserve so that a client can be told when there is none left.
 */
#include "native/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/fault.h"
#include "native/listen.h"
#include "native/peer.h"
#include "native/session.h"

#define SERVER_STACK_BYTES ((size_t)2 << 20)
#define SERVER_LINE_BYTES  256

/* After a refusal for want of descriptors, or an abort, time is given to others. */
#define SERVER_PAUSE_MS 10
#define SERVER_ABORT_NS UINT64_C(500000000)

typedef struct server_client {
  struct server_client *next;
  spc__server *server;
  spc__session *session;
  pthread_t thread;
  unsigned number;
  bool hung_up; /* seen, and not to be polled any more */
  _Atomic bool ended;
} server_client;

struct spc__server {
  spc__server_options options;
  spc__session_host host;
  spc__listener listener;
  int pipe[2];
  int reserve;
  _Atomic bool stopped;
  pthread_mutex_t mutex; /* of the list and the counters below, between run and sessions */
  server_client *clients;
  uint32_t client_count;
  uint64_t clients_total;
  spc__counters past; /* of sessions that ended, and of refusals */
  struct pollfd *pollers;
};

spc__server_options spc__server_options_default(void) {
  const spc__server_options options = {.connection = -1,
                                       .limits = spc_limits_default(),
                                       .max_memory = SPC_WORK_BYTES,
                                       .max_clients = 256,
                                       .max_ring = UINT32_C(16) << 20,
                                       .grace_ns = UINT64_C(5000000000)};
  return options;
}

__attribute__((format(printf, 3, 4))) static void
server_log(const spc__server *self, spc__log_level level, const char *format, ...) {
  char line[SERVER_LINE_BYTES];
  va_list arguments;
  if (self->options.log == NULL) return;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  self->options.log(self->options.user, level, line);
}

static void server_wake(spc__server *self) {
  /* A full pipe wakes as well. */
  ssize_t ignored = write(self->pipe[1], "", 1);
  (void)ignored;
}

void spc__server_stop(spc__server *self) {
  int number = errno;
  atomic_store(&self->stopped, true);
  server_wake(self);
  errno = number;
}

static size_t server_counters(void *user, char out[SPC_COUNTERS_TEXT_BYTES]) {
  spc__server *self = (spc__server *)user;
  spc__counters sum;
  memset(&sum, 0, sizeof sum);
  pthread_mutex_lock(&self->mutex);
  spc__counters_sum(&sum, &self->past);
  for (const server_client *client = self->clients; client != NULL; client = client->next)
    spc__counters_sum(&sum, &client->session->counters);
  uint64_t clients = self->client_count, total = self->clients_total;
  pthread_mutex_unlock(&self->mutex);
  return spc__counters_text(&sum, clients, total, out);
}

static void *server_thread(void *user) {
  server_client *self = (server_client *)user;
  spc_error error;
  spc_status status = spc__session_serve(self->session, &error);
  spc__log_level level = status == SPC_DISCONNECTED ? SPC_LOG_DEBUG : SPC_LOG_INFO;
  server_log(self->server, level, "client %u ends: %s %s", self->number, spc_status_name(status),
             error.path);
  atomic_store(&self->ended, true);
  server_wake(self->server);
  return NULL;
}

/* Tells a client that is not served why; its socket is to be closed next. */
static void server_refuse(spc__server *self, int fd, const spc_error *reason) {
  server_log(self, SPC_LOG_INFO, "client refused: %s %s", spc_status_name(reason->status),
             reason->path);
  pthread_mutex_lock(&self->mutex);
  spc__counters_error(&self->past, (uint32_t)reason->status);
  pthread_mutex_unlock(&self->mutex);
  spc__session_refuse(fd, reason);
}

static spc_status server_start_thread(server_client *client, spc_error *error) {
  pthread_attr_t attributes;
  int number = pthread_attr_init(&attributes);
  if (number == 0) {
    pthread_attr_setstacksize(&attributes, SERVER_STACK_BYTES);
    number = pthread_create(&client->thread, &attributes, server_thread, client);
    pthread_attr_destroy(&attributes);
  }
  if (number == 0) return SPC_OK;
  return spc__fault_errno(error, SPC_NO_THREADS, "pthread_create", number);
}

/* Starts a client's thread and links it; its thread sees no list without it. */
static spc_status server_link(spc__server *self, server_client *client, spc_error *error) {
  pthread_mutex_lock(&self->mutex);
  spc_status status = server_start_thread(client, error);
  if (status == SPC_OK) {
    client->next = self->clients;
    self->clients = client;
    self->client_count++;
    self->clients_total++;
  }
  pthread_mutex_unlock(&self->mutex);
  return status;
}

/* Takes a client whose thread has ended out of the list and frees it. */
static void server_unlink(spc__server *self, server_client **place) {
  server_client *client = *place;
  pthread_mutex_lock(&self->mutex);
  *place = client->next;
  self->client_count--;
  spc__counters_sum(&self->past, &client->session->counters);
  pthread_mutex_unlock(&self->mutex);
  spc__session_free(client->session);
  free(client);
}

/* Serves a connected socket, which stays the caller's on failure. */
static spc_status server_serve(spc__server *self, int fd, spc_error *error) {
  spc_status status = spc__peer_check(fd, error);
  if (status == SPC_OK && self->client_count >= self->options.max_clients)
    status = spc__fault_limit(error, SPC_TOO_MANY_CLIENTS, self->options.max_clients);
  if (status != SPC_OK) return status;
  server_client *client = (server_client *)calloc(1, sizeof *client);
  spc__session *session = spc__session_new(&self->host, fd);
  if (client == NULL || session == NULL) {
    status = spc__fault(error, SPC_OUT_OF_MEMORY, "server");
  } else {
    client->server = self;
    client->session = session;
    client->number = (unsigned)self->clients_total;
    server_log(self, SPC_LOG_DEBUG, "client %u comes", client->number);
    status = server_link(self, client, error);
  }
  if (status != SPC_OK) {
    free(session);
    free(client);
  }
  return status;
}

static spc_status server_adopt(spc__server *self, int fd, spc_error *error) {
  spc_status status = server_serve(self, fd, error);
  if (status != SPC_OK) {
    server_refuse(self, fd, error);
    close(fd);
  }
  return status;
}

static void server_accept(spc__server *self) {
  spc_error error;
  int fd = spc__peer_accept(self->listener.fd);
  if (fd >= 0) {
    server_adopt(self, fd, &error);
    return;
  }
  int number = errno;
  if (!spc__peer_out_of_descriptors(number)) {
    if (number != EINTR && number != EAGAIN && number != ECONNABORTED)
      server_log(self, SPC_LOG_ERROR, "accept: %s", strerror(number));
    return;
  }
  close(self->reserve);
  fd = spc__peer_accept(self->listener.fd);
  spc__fault_errno(&error, SPC_NO_DESCRIPTORS, "accept", number);
  if (fd >= 0) {
    server_refuse(self, fd, &error);
    close(fd);
  }
  self->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
  poll(NULL, 0, SERVER_PAUSE_MS);
}

static void server_collect(spc__server *self) {
  server_client **place = &self->clients;
  while (*place != NULL) {
    if (!atomic_load(&(*place)->ended)) {
      place = &(*place)->next;
      continue;
    }
    pthread_join((*place)->thread, NULL);
    server_unlink(self, place);
  }
}

static void server_order_all(spc__server *self, uint32_t order) {
  for (server_client *client = self->clients; client != NULL; client = client->next)
    spc__session_order(client->session, order);
}

/* One round: waits until something happens, at most until `deadline`, and handles it. */
static void server_round(spc__server *self, uint64_t deadline) {
  struct pollfd *poller = self->pollers;
  poller[0] = (struct pollfd){.fd = self->pipe[0], .events = POLLIN};
  poller[1] = (struct pollfd){.fd = self->listener.fd, .events = POLLIN};
  nfds_t count = 2;
  for (server_client *client = self->clients; client != NULL; client = client->next)
    poller[count++] = (struct pollfd){.fd = client->hung_up ? -1 : client->session->link.stream.fd};
  if (poll(poller, count, spc__poll_timeout(deadline)) <= 0) return;
  count = 2;
  for (server_client *client = self->clients; client != NULL; client = client->next) {
    if (poller[count++].revents == 0) continue;
    client->hung_up = true;
    spc__session_order(client->session, SPC_ORDER_ABORT);
  }
  if (poller[0].revents != 0) {
    char bytes[64];
    ssize_t ignored = read(self->pipe[0], bytes, sizeof bytes);
    (void)ignored;
    server_collect(self);
  }
  if (poller[1].revents != 0) server_accept(self);
}

/* Rounds until no client is left or `deadline` has passed. */
static void server_drain(spc__server *self, uint64_t deadline) {
  while (self->clients != NULL && spc__now() < deadline)
    server_round(self, deadline);
}

spc_status spc__server_run(spc__server *self) {
  bool listens = self->listener.fd >= 0;
  while (!atomic_load(&self->stopped) && (listens || self->clients != NULL))
    server_round(self, SPC_FOREVER);
  if (self->options.stopping != NULL) self->options.stopping(self->options.user);
  spc__listener_close(&self->listener);
  server_order_all(self, SPC_ORDER_LEAVE);
  server_drain(self, spc__deadline(self->options.grace_ns));
  server_order_all(self, SPC_ORDER_ABORT);
  server_drain(self, spc__deadline(SERVER_ABORT_NS));
  return self->clients == NULL ? SPC_OK : SPC_DEADLINE;
}

static uint32_t server_cpus(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return (uint32_t)CPU_COUNT(&set);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

static spc_status server_open_pipe(spc__server *self, spc_error *error) {
  if (pipe(self->pipe) != 0) return spc__fault_errno(error, SPC_NO_DESCRIPTORS, "pipe", errno);
  for (int i = 0; i < 2; i++) {
    fcntl(self->pipe[i], F_SETFD, FD_CLOEXEC);
    fcntl(self->pipe[i], F_SETFL, O_NONBLOCK);
  }
  self->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return SPC_OK;
}

spc_status spc__server_open(spc__server **server, const spc__server_options *options,
                            spc_error *error) {
  *server = NULL;
  spc__server *self = (spc__server *)calloc(1, sizeof *self);
  if (self == NULL) return spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  self->options = *options;
  self->listener.fd = self->pipe[0] = self->pipe[1] = self->reserve = -1;
  self->host.limits = options->limits;
  self->host.max_memory = options->max_memory;
  self->host.max_ring = options->max_ring;
  self->host.counters = server_counters;
  self->host.user = self;
  /* A client that is awake keeps two CPUs busy, its own and its thread's here. */
  uint32_t cpus = server_cpus();
  self->host.crowd.most = cpus < 4 ? 1 : cpus / 2;
  pthread_mutex_init(&self->mutex, NULL);
  self->pollers = (struct pollfd *)calloc((size_t)options->max_clients + 3, sizeof *self->pollers);
  spc_status status = self->pollers == NULL ? spc__fault(error, SPC_OUT_OF_MEMORY, NULL)
                                            : server_open_pipe(self, error);
  if (status == SPC_OK && options->path != NULL)
    status = spc__listener_open(&self->listener, options->path, error);
  if (status == SPC_OK && options->connection >= 0)
    status = server_serve(self, options->connection, error);
  if (status != SPC_OK) {
    spc__server_close(self);
    return status;
  }
  *server = self;
  return SPC_OK;
}

void spc__server_close(spc__server *self) {
  int *fds[] = {&self->pipe[0], &self->pipe[1], &self->reserve};
  spc__listener_close(&self->listener);
  server_order_all(self, SPC_ORDER_ABORT);
  server_drain(self, SPC_FOREVER);
  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    if (*fds[i] >= 0) close(*fds[i]);
  pthread_mutex_destroy(&self->mutex);
  free(self->pollers);
  free(self);
}

#undef SERVER_STACK_BYTES
#undef SERVER_LINE_BYTES
#undef SERVER_PAUSE_MS
#undef SERVER_ABORT_NS
