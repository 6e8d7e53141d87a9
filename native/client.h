/*
 * C client of a running spiculed: spc_call in the server's process, over a Unix socket or shared
 * memory. A client serves one thread at a time.
 */
#ifndef SPICULE_CLIENT_H
#define SPICULE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/call.h"

SPC_BEGIN_DECLS

/* A timeout, in nanoseconds, that never passes. */
#define SPC_NO_TIMEOUT UINT64_MAX

/* An operation beside those of spc_call: the server's counters, as JSON text. */
#define SPC_OP_COUNTERS 0x80000002u

typedef enum spc_transport {
  SPC_TRANSPORT_SOCKET,
  SPC_TRANSPORT_SHARED_MEMORY /* Linux only */
} spc_transport;

typedef struct spc_client_options {
  spc_transport transport;
  const char *path;    /* of the server's socket; not used with `fd` */
  int fd;              /* a socket that is connected to a server, taken over; or -1 */
  uint64_t timeout_ns; /* of spc_client_open; it tries again while no server answers */
  uint32_t ring_bytes; /* of each of the two rings: a power of two from 4 KiB to 256 MiB */
} spc_client_options;

/* The socket at `path` (kept, not copied), rings of 256 KiB, no second try. */
spc_client_options spc_client_options_default(spc_transport transport, const char *path);

typedef struct spc_client spc_client;

/*
 * Connects. `*client` is to be closed with spc_client_close, or NULL on failure; options->fd is
 * closed on failure too. SPC_UNREACHABLE; SPC_BAD_ADDRESS for a path that is too long;
 * SPC_DEADLINE; SPC_PEER_REFUSED when server or client belongs to another user;
 * SPC_TOO_MANY_CLIENTS; SPC_NO_SHARED_MEMORY, SPC_NO_DESCRIPTORS, SPC_NO_THREADS, SPC_OUT_OF_MEMORY
 * of either end; SPC_INVALID_ARGUMENT for ring_bytes; SPC_UNAVAILABLE; SPC_DISCONNECTED,
 * SPC_BAD_FRAME, SPC_BAD_SHARED_MEMORY when the other end does not behave like a server.
 */
spc_status spc_client_open(spc_client **client, const spc_client_options *options,
                           spc_error *error);

/*
 * spc_call in the server: the same bytes and the same errors, and SPC_DISCONNECTED, SPC_DEADLINE,
 * SPC_BAD_FRAME, SPC_FRAME_LIMIT, SPC_BAD_SHARED_MEMORY. After SPC_DEADLINE while the server
 * computed the client stays usable; after any other of these transport statuses every call gives
 * SPC_DISCONNECTED.
 */
spc_status spc_client_call(spc_client *self, uint32_t op, const uint8_t *request,
                           size_t request_length, uint8_t *response, size_t capacity,
                           size_t *response_length, uint64_t timeout_ns, spc_error *error);

/* The server's limits of a request and a response. */
uint64_t spc_client_max_request(const spc_client *self);
uint64_t spc_client_max_response(const spc_client *self);

/* Closes the connection and frees the client; NULL is allowed. */
void spc_client_close(spc_client *self);

SPC_END_DECLS

#endif
