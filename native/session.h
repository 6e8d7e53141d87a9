/* One client of a server: what its thread does. */
#ifndef SPC_NATIVE_SESSION_H
#define SPC_NATIVE_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "native/counters.h"
#include "native/link.h"
#include "native/memory.h"

/* What a session needs of its server. */
typedef struct spc__session_host {
  spc_limits limits;
  uint64_t max_memory;
  uint32_t max_ring;
  spc__crowd crowd;
  /* The counters of the whole server; called from the session's thread. */
  size_t (*counters)(void *user, char out[SPC_COUNTERS_TEXT_BYTES]);
  void *user;
} spc__session_host;

typedef struct spc__session {
  spc__session_host *host;
  _Atomic uint32_t order;     /* 0, SPC_ORDER_LEAVE or SPC_ORDER_ABORT */
  _Atomic bool sleeps_in_shm; /* its thread may be in a wait of link.shm */
  spc__counters counters;
  spc_ctx ctx;
  spc__block work;
  spc__block request;
  spc__block response;
  spc__link link;
} spc__session;

/* Makes a session for a connected socket, which it takes over; NULL, without doing so: no memory.
 */
spc__session *spc__session_new(spc__session_host *host, int fd);

/*
 * Serves until the client leaves, breaks the protocol, or an order comes; says why. The client
 * hears of the end when the session is freed.
 */
spc_status spc__session_serve(spc__session *self, spc_error *error);

/* From another thread: ends spc__session_serve, after the call in progress or at once. */
void spc__session_order(spc__session *self, uint32_t order);

void spc__session_free(spc__session *self);

/* Tells a client that is not served why, without waiting. */
void spc__session_refuse(int fd, const spc_error *reason);

#endif
