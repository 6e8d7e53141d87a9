/*
 * Shared memory between a server and one client: a ring each way in a memfd, and waiting that spins
 * while the other end runs on another CPU and else sleeps on a futex. Linux only.
 *
 * The server creates the memory, in full size and sealed against resizing, so that using it can't
 * fail later; the client maps it after checking its header against its real size. Neither end
 * believes an index of the other that an honest end could not have stored (ring.h).
 */
#ifndef SPC_NATIVE_SHM_H
#define SPC_NATIVE_SHM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/ring.h"
#include "spicule/status.h"

/* What a wait is for. */
#define SPC_SHM_DATA  1u /* something to take */
#define SPC_SHM_SPACE 2u /* room to put something */
#define SPC_SHM_IDLE  4u /* no frame is in progress, so the wait may end with SPC_ORDER_LEAVE */

/* In sleeps_for: to be woken by a byte on the socket, not by the bell. */
#define SPC_SHM_BY_SOCKET 8u

/* What a thread that waits is told by another: to end between two frames, or at once. */
#define SPC_ORDER_LEAVE 1u
#define SPC_ORDER_ABORT 2u

/* How many threads of a process are awake between calls; more than `most` must not spin. */
typedef struct spc__crowd {
  _Atomic uint32_t awake;
  uint32_t most;
} spc__crowd;

/* One end as the other sees it, in shared memory. Its owner writes it, but for the last two. */
typedef struct spc__shm_end {
  _Alignas(128) _Atomic uint32_t tail; /* of the ring that it writes */
  _Atomic uint32_t head;               /* of the ring that it reads */
  _Atomic uint32_t cpu;                /* where it last waited */
  _Atomic uint32_t crowded;            /* spinning for it is a waste now */
  _Atomic uint32_t sleeps_for;         /* SPC_SHM_ bits; whoever wakes it stores 0 */
  _Atomic uint32_t bell;               /* the other adds 1 to wake it */
} spc__shm_end;

/* Fields are private to shm.c, but for the last three, which may be set after init. */
typedef struct spc__shm {
  uint8_t *map; /* NULL when closed */
  size_t map_size;
  spc__shm_end *mine;
  spc__shm_end *theirs;
  spc__ring in;
  spc__ring out;
  uint32_t told_head; /* the head that the other end knows */
  uint32_t misses;    /* waits in a row for which spinning was not long enough */
  uint32_t waits;     /* counts waits, to try a long spin now and then */
  int socket; /* to the other end; waits watch whether it hangs up, unless there is an `order` */
  const _Atomic uint32_t *order; /* written by another thread, which then rings the bell; or NULL */
  spc__crowd *crowd;             /* the waits count there; or NULL */
} spc__shm;

/*
 * Makes the memory with two empty rings of `ring_size` bytes, as its server end, and a descriptor
 * for it in `*fd`. SPC_INVALID_ARGUMENT for a size that a ring can't have; SPC_NO_DESCRIPTORS,
 * SPC_NO_SHARED_MEMORY; SPC_UNAVAILABLE elsewhere than on Linux.
 */
spc_status spc__shm_create(spc__shm *self, uint32_t ring_size, int *fd, spc_error *error);

/*
 * Maps the memory behind `fd` as its client end; `fd` stays the caller's. SPC_BAD_SHARED_MEMORY
 * where it isn't what spc__shm_create makes, SPC_NO_SHARED_MEMORY; SPC_UNAVAILABLE.
 */
spc_status spc__shm_attach(spc__shm *self, int fd, spc_error *error);

/* Unmaps it. Does nothing when closed or all zero. */
void spc__shm_close(spc__shm *self);

/*
 * Waits until what `wanted` says may be so, or another thread rang the bell; may return early.
 * SPC_DISCONNECTED, SPC_DEADLINE, SPC_BAD_SHARED_MEMORY.
 */
spc_status spc__shm_wait(spc__shm *self, uint32_t wanted, uint64_t deadline, spc_error *error);

/* The same as far as it does not sleep. */
spc_status spc__shm_spin(spc__shm *self, uint32_t wanted, spc_error *error);

/*
 * Instead of waiting: the other end will send a byte on the socket once what `wanted` says is so.
 * False where it is so already, and then no byte will come.
 */
bool spc__shm_arm(spc__shm *self, uint32_t wanted);

/*
 * Takes what there is of `length` bytes, without waiting, and gives how much in `*taken`: all of
 * them with the padding behind, or a multiple of 8. `out` may be NULL to drop them.
 */
spc_status spc__shm_take(spc__shm *self, uint8_t *out, uint64_t length, uint64_t *taken,
                         spc_error *error);

/* Takes exactly `length` bytes and the padding behind them; `out` may be NULL to drop them. */
spc_status spc__shm_read(spc__shm *self, uint8_t *out, uint64_t length, uint64_t deadline,
                         spc_error *error);

/* What is left of a message that is put piece by piece; `head_length` is a multiple of 8. */
typedef struct spc__shm_message {
  const uint8_t *head;
  size_t head_length;
  const uint8_t *body;
  size_t body_length;
} spc__shm_message;

/* Puts as much of it as there is room for, without waiting. SPC_BAD_SHARED_MEMORY. */
spc_status spc__shm_put(spc__shm *self, spc__shm_message *message, spc_error *error);

/* Whether nothing of it is left. */
static inline bool spc__shm_message_done(const spc__shm_message *message) {
  return message->head_length + message->body_length == 0;
}

/* Puts all of it. */
spc_status spc__shm_write(spc__shm *self, spc__shm_message message, uint64_t deadline,
                          spc_error *error);

/* Ends the wait of this end from another thread. */
void spc__shm_ring_bell(spc__shm *self);

#endif
