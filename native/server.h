/*
 * The server: spc_call for clients on a Unix socket and over shared memory, a thread for each, so
 * that no client waits for another. spiculed is a program around it.
 */
#ifndef SPC_NATIVE_SERVER_H
#define SPC_NATIVE_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/call.h"

typedef enum spc__log_level { SPC_LOG_ERROR, SPC_LOG_INFO, SPC_LOG_DEBUG } spc__log_level;

/* Hears one line; called from any thread. */
typedef void (*spc__log_fn)(void *user, spc__log_level level, const char *line);

typedef struct spc__server_options {
  const char *path;             /* of the socket to listen on; NULL: none */
  int connection;               /* a connected socket to serve, taken over on success; or -1 */
  spc_limits limits;            /* of each client's context */
  uint64_t max_memory;          /* bytes of work memory of one client */
  uint32_t max_clients;         /* at the same time */
  uint32_t max_ring;            /* bytes of one ring */
  uint64_t grace_ns;            /* how long calls in progress may go on after a stop */
  spc__log_fn log;              /* may be NULL */
  void (*stopping)(void *user); /* called when spc__server_run begins to end; may be NULL */
  void *user;
} spc__server_options;

spc__server_options spc__server_options_default(void);

typedef struct spc__server spc__server;

/*
 * Makes a server; when it gives SPC_OK clients can connect, though they are served by
 * spc__server_run only. A socket file that no server listens on is replaced. SPC_ADDRESS_IN_USE;
 * SPC_BAD_ADDRESS for a path that is too long or holds something else than a socket;
 * SPC_OUT_OF_MEMORY, SPC_NO_DESCRIPTORS, SPC_SYSTEM_FAILURE.
 */
spc_status spc__server_open(spc__server **server, const spc__server_options *options,
                            spc_error *error);

/*
 * Serves until spc__server_stop, or, without a path, until the connection ends. Gives SPC_OK, or
 * SPC_DEADLINE when calls were still in progress after the grace time; then threads still use the
 * server, and spc__server_close waits for them.
 */
spc_status spc__server_run(spc__server *self);

/* Ends spc__server_run. May be called from any thread and from a signal handler. */
void spc__server_stop(spc__server *self);

/* Removes the socket file, where it is still this server's, and frees the server. */
void spc__server_close(spc__server *self);

#endif
