/*
 * Layout of the memory: a page with the header and the two ends, the ring to the server, the ring
 * to the client. The index that an end has put lies beside what the other end polls, so a short
 * message costs two cache lines each way.
 *
 * No wake is lost: whoever sleeps stores sleeps_for and then reads the indices; whoever puts or
 * takes stores its index and then reads sleeps_for; all four are sequentially consistent, so one of
 * the two sees the other. The bell is read before sleeps_for is stored, so a ring in between makes
 * the futex call return at once.
 *
 * The reader tells its head only when a quarter of the ring has been taken since it last did. That
 * is enough: a writer without space has more than that in front of the reader.
 */
#include "native/shm.h"

#include "native/fault.h"

#if defined(__linux__) && !defined(SPC_WITHOUT_SHM)

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/stream.h"

#define SHM_MAGIC        0x4d435053u /* "SPCM" */
#define SHM_VERSION      1u
#define SHM_HEADER_BYTES ((size_t)4096)
#define SHM_SEALS        (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* What is put between two tellings of the tail, so that both ends copy at the same time. */
#define SHM_PIECE_BYTES UINT32_C(32768)

/* Spinning: the longest, the polls between two looks at the clock, halvings after misses. */
#define SHM_SPIN_NS       UINT64_C(20000)
#define SHM_SPIN_POLLS    32u
#define SHM_SPIN_HALVINGS 4u

/* A sleeper that watches its socket looks at it this often. */
#define SHM_SLICE_NS UINT64_C(20000000)

typedef struct shm_header {
  uint32_t magic;
  uint32_t version;
  uint32_t ring_size;
  uint32_t zero;
  spc__shm_end server;
  spc__shm_end client;
} shm_header;

_Static_assert(sizeof(shm_header) <= SHM_HEADER_BYTES, "the header fits its page");
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomics work between processes");

static size_t shm_size(uint32_t ring_size) {
  return SHM_HEADER_BYTES + 2 * (size_t)ring_size;
}

static spc_status shm_map(spc__shm *self, int fd, size_t size, spc_error *error) {
  void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (map == MAP_FAILED) return spc__fault_errno(error, SPC_NO_SHARED_MEMORY, "mmap", errno);
  memset(self, 0, sizeof *self);
  self->map = (uint8_t *)map;
  self->map_size = size;
  self->socket = -1;
  return SPC_OK;
}

static spc_status shm_fill(spc__shm *self, uint32_t ring_size, int fd, spc_error *error) {
  size_t size = shm_size(ring_size);
  int number = posix_fallocate(fd, 0, (off_t)size);
  if (number != 0) return spc__fault_errno(error, SPC_NO_SHARED_MEMORY, "posix_fallocate", number);
  if (fcntl(fd, F_ADD_SEALS, SHM_SEALS) != 0)
    return spc__fault_errno(error, SPC_NO_SHARED_MEMORY, "F_ADD_SEALS", errno);
  spc_status status = shm_map(self, fd, size, error);
  if (status != SPC_OK) return status;
  shm_header *header = (shm_header *)(void *)self->map;
  header->magic = SHM_MAGIC;
  header->version = SHM_VERSION;
  header->ring_size = ring_size;
  self->mine = &header->server;
  self->theirs = &header->client;
  spc__ring_init(&self->in, self->map + SHM_HEADER_BYTES, ring_size);
  spc__ring_init(&self->out, self->map + SHM_HEADER_BYTES + ring_size, ring_size);
  return SPC_OK;
}

spc_status spc__shm_create(spc__shm *self, uint32_t ring_size, int *fd, spc_error *error) {
  if (!spc__ring_size_valid(ring_size))
    return spc__fault_limit(error, SPC_INVALID_ARGUMENT, SPC_RING_MAX_BYTES);
  *fd = memfd_create("spicule", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (*fd < 0) {
    spc_status status =
        errno == EMFILE || errno == ENFILE ? SPC_NO_DESCRIPTORS : SPC_NO_SHARED_MEMORY;
    return spc__fault_errno(error, status, "memfd_create", errno);
  }
  spc_status status = shm_fill(self, ring_size, *fd, error);
  if (status != SPC_OK) {
    close(*fd);
    *fd = -1;
  }
  return status;
}

spc_status spc__shm_attach(spc__shm *self, int fd, spc_error *error) {
  struct stat info;
  if (fstat(fd, &info) != 0 || info.st_size < (off_t)shm_size(SPC_RING_MIN_BYTES) ||
      info.st_size > (off_t)shm_size(SPC_RING_MAX_BYTES))
    return spc__fault(error, SPC_BAD_SHARED_MEMORY, "size");
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & SHM_SEALS) != SHM_SEALS)
    return spc__fault(error, SPC_BAD_SHARED_MEMORY, "seals");
  spc_status status = shm_map(self, fd, (size_t)info.st_size, error);
  if (status != SPC_OK) return status;
  shm_header *header = (shm_header *)(void *)self->map;
  uint32_t fields[3];
  memcpy(fields, header, sizeof fields);
  if (fields[0] != SHM_MAGIC || fields[1] != SHM_VERSION || !spc__ring_size_valid(fields[2]) ||
      shm_size(fields[2]) != (size_t)info.st_size) {
    spc__shm_close(self);
    return spc__fault(error, SPC_BAD_SHARED_MEMORY, "header");
  }
  self->mine = &header->client;
  self->theirs = &header->server;
  spc__ring_init(&self->out, self->map + SHM_HEADER_BYTES, fields[2]);
  spc__ring_init(&self->in, self->map + SHM_HEADER_BYTES + fields[2], fields[2]);
  return SPC_OK;
}

void spc__shm_close(spc__shm *self) {
  if (self->map == NULL) return;
  munmap(self->map, self->map_size);
  self->map = NULL;
}

static void shm_futex_wake(_Atomic uint32_t *bell) {
  atomic_fetch_add(bell, 1);
  syscall(SYS_futex, bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void shm_futex_wait(_Atomic uint32_t *bell, uint32_t value, uint64_t timeout) {
  struct timespec time = {.tv_sec = (time_t)(timeout / 1000000000u),
                          .tv_nsec = (long)(timeout % 1000000000u)};
  syscall(SYS_futex, bell, FUTEX_WAIT, value, timeout == SPC_FOREVER ? NULL : &time, NULL, 0);
}

void spc__shm_ring_bell(spc__shm *self) {
  shm_futex_wake(&self->mine->bell);
}

/* Whether the other end moved an index that `wanted` is about. */
static bool shm_moved(const spc__shm *self, uint32_t wanted) {
  return ((wanted & SPC_SHM_DATA) != 0 && atomic_load(&self->theirs->tail) != self->in.tail) ||
         ((wanted & SPC_SHM_SPACE) != 0 && atomic_load(&self->theirs->head) != self->out.head);
}

/* Hears of the other end's progress in what `wanted` says. */
static spc_status shm_see(spc__shm *self, uint32_t wanted, spc_error *error) {
  if (((wanted & SPC_SHM_DATA) != 0 &&
       !spc__ring_see_tail(&self->in, atomic_load(&self->theirs->tail))) ||
      ((wanted & SPC_SHM_SPACE) != 0 &&
       !spc__ring_see_head(&self->out, atomic_load(&self->theirs->head))))
    return spc__fault(error, SPC_BAD_SHARED_MEMORY, "index");
  return SPC_OK;
}

static void shm_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void shm_store_changed(_Atomic uint32_t *word, uint32_t value) {
  if (atomic_load_explicit(word, memory_order_relaxed) != value)
    atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Whether another thread wants this wait to end. */
static bool shm_ordered(const spc__shm *self, uint32_t wanted) {
  uint32_t order = self->order == NULL ? 0 : atomic_load(self->order);
  return order >= ((wanted & SPC_SHM_IDLE) != 0 ? SPC_ORDER_LEAVE : SPC_ORDER_ABORT);
}

/* How long it makes sense to spin now; 0 where the other end could not run meanwhile. */
static uint64_t shm_spin_time(spc__shm *self) {
  uint32_t cpu = (uint32_t)sched_getcpu();
  bool crowded =
      self->crowd != NULL &&
      atomic_load_explicit(&self->crowd->awake, memory_order_relaxed) > self->crowd->most;
  shm_store_changed(&self->mine->cpu, cpu);
  shm_store_changed(&self->mine->crowded, crowded);
  if (crowded || atomic_load_explicit(&self->theirs->crowded, memory_order_relaxed) != 0 ||
      atomic_load_explicit(&self->theirs->cpu, memory_order_relaxed) == cpu)
    return 0;
  /* After misses the spin is short, but for every 16th: else two ends could keep missing. */
  return SHM_SPIN_NS >> (self->waits++ % 16 == 0 ? 0 : self->misses);
}

static bool shm_spin(spc__shm *self, uint32_t wanted) {
  uint64_t time = shm_spin_time(self);
  if (time == 0) return false;
  for (uint64_t end = spc__now() + time; spc__now() < end;) {
    for (uint32_t i = 0; i < SHM_SPIN_POLLS; i++) {
      shm_pause();
      if (shm_moved(self, wanted)) {
        self->misses = 0;
        return true;
      }
    }
  }
  if (self->misses < SHM_SPIN_HALVINGS) self->misses++;
  return false;
}

static void shm_sleep(spc__shm *self, uint32_t wanted, uint64_t deadline) {
  uint32_t bell = atomic_load(&self->mine->bell);
  atomic_store(&self->mine->sleeps_for, wanted);
  if (!shm_moved(self, wanted) && !shm_ordered(self, wanted)) {
    uint64_t now = deadline == SPC_FOREVER ? 0 : spc__now();
    uint64_t time = deadline == SPC_FOREVER ? SPC_FOREVER : deadline > now ? deadline - now : 0;
    if (self->order == NULL && time > SHM_SLICE_NS) time = SHM_SLICE_NS;
    if (self->crowd != NULL) atomic_fetch_sub(&self->crowd->awake, 1);
    shm_futex_wait(&self->mine->bell, bell, time);
    if (self->crowd != NULL) atomic_fetch_add(&self->crowd->awake, 1);
  }
  atomic_store(&self->mine->sleeps_for, 0);
}

spc_status spc__shm_wait(spc__shm *self, uint32_t wanted, uint64_t deadline, spc_error *error) {
  if (!shm_moved(self, wanted) && !shm_spin(self, wanted)) {
    if (shm_ordered(self, wanted)) return spc__fault(error, SPC_DISCONNECTED, NULL);
    shm_sleep(self, wanted, deadline);
    if (!shm_moved(self, wanted)) {
      /* What the other end put just before it went must still be taken. */
      bool gone = self->order == NULL && spc__hung_up(self->socket);
      bool late = deadline != SPC_FOREVER && spc__now() >= deadline;
      if ((gone || late) && !shm_moved(self, wanted))
        return spc__fault(error, gone ? SPC_DISCONNECTED : SPC_DEADLINE, NULL);
    }
  }
  return shm_see(self, wanted, error);
}

spc_status spc__shm_spin(spc__shm *self, uint32_t wanted, spc_error *error) {
  if (!shm_moved(self, wanted)) shm_spin(self, wanted);
  return shm_see(self, wanted, error);
}

bool spc__shm_arm(spc__shm *self, uint32_t wanted) {
  atomic_store(&self->mine->sleeps_for, wanted | SPC_SHM_BY_SOCKET);
  if (!shm_moved(self, wanted)) return true;
  /* Where the other end has been quicker, its byte comes. */
  return atomic_exchange(&self->mine->sleeps_for, 0) == 0;
}

/* Tells the other end an index, and wakes it if it sleeps for that: once for each time it does. */
static void shm_tell(spc__shm *self, _Atomic uint32_t *mine, uint32_t value, uint32_t what) {
  atomic_store(mine, value);
  if ((atomic_load(&self->theirs->sleeps_for) & what) == 0) return;
  if ((atomic_exchange(&self->theirs->sleeps_for, 0) & SPC_SHM_BY_SOCKET) == 0)
    shm_futex_wake(&self->theirs->bell);
  else
    spc__socket_nudge(self->socket);
}

spc_status spc__shm_take(spc__shm *self, uint8_t *out, uint64_t length, uint64_t *taken,
                         spc_error *error) {
  *taken = 0;
  while (length != 0) {
    uint32_t piece = spc__ring_available(&self->in);
    if (piece == 0) {
      spc_status status = shm_see(self, SPC_SHM_DATA, error);
      piece = spc__ring_available(&self->in);
      if (status != SPC_OK || piece == 0) return status;
    }
    if (piece > length) piece = (uint32_t)length;
    spc__ring_take(&self->in, out, piece);
    if (self->in.head - self->told_head >= self->in.size / 4) {
      self->told_head = self->in.head;
      shm_tell(self, &self->mine->head, self->in.head, SPC_SHM_SPACE);
    }
    if (out != NULL) out += piece;
    length -= piece;
    *taken += piece;
  }
  return SPC_OK;
}

spc_status spc__shm_read(spc__shm *self, uint8_t *out, uint64_t length, uint64_t deadline,
                         spc_error *error) {
  for (;;) {
    uint64_t taken = 0;
    spc_status status = spc__shm_take(self, out, length, &taken, error);
    if (status != SPC_OK || taken == length) return status;
    if (out != NULL) out += taken;
    length -= taken;
    status = spc__shm_wait(self, SPC_SHM_DATA, deadline, error);
    if (status != SPC_OK) return status;
  }
}

/* Puts up to `room` bytes of a part; gives the room that is left. */
static uint32_t shm_put_part(spc__shm *self, const uint8_t **part, size_t *length, uint32_t room) {
  uint32_t piece = *length < room ? (uint32_t)*length : room;
  if (piece == 0) return room;
  spc__ring_put(&self->out, *part, piece);
  *part += piece;
  *length -= piece;
  return room - piece;
}

spc_status spc__shm_put(spc__shm *self, spc__shm_message *message, spc_error *error) {
  while (!spc__shm_message_done(message)) {
    if (spc__ring_space(&self->out) < message->head_length + message->body_length) {
      spc_status status = shm_see(self, SPC_SHM_SPACE, error);
      if (status != SPC_OK) return status;
    }
    uint32_t room = spc__ring_space(&self->out);
    if (room == 0) return SPC_OK;
    if (room > SHM_PIECE_BYTES) room = SHM_PIECE_BYTES;
    room = shm_put_part(self, &message->head, &message->head_length, room);
    shm_put_part(self, &message->body, &message->body_length, room);
    shm_tell(self, &self->mine->tail, self->out.tail, SPC_SHM_DATA);
  }
  return SPC_OK;
}

spc_status spc__shm_write(spc__shm *self, spc__shm_message message, uint64_t deadline,
                          spc_error *error) {
  spc_status status = spc__shm_put(self, &message, error);
  while (status == SPC_OK && !spc__shm_message_done(&message)) {
    status = spc__shm_wait(self, SPC_SHM_SPACE, deadline, error);
    if (status == SPC_OK) status = spc__shm_put(self, &message, error);
  }
  return status;
}

#else

/* Elsewhere no memory is ever made, so that nothing but the first two is ever called. */

static spc_status shm_unavailable(spc_error *error) {
  return spc__fault(error, SPC_UNAVAILABLE, "shared memory");
}

spc_status spc__shm_create(spc__shm *self, uint32_t ring_size, int *fd, spc_error *error) {
  (void)self, (void)ring_size, (void)fd;
  return shm_unavailable(error);
}

spc_status spc__shm_attach(spc__shm *self, int fd, spc_error *error) {
  (void)self, (void)fd;
  return shm_unavailable(error);
}

void spc__shm_close(spc__shm *self) {
  (void)self;
}

spc_status spc__shm_wait(spc__shm *self, uint32_t wanted, uint64_t deadline, spc_error *error) {
  (void)self, (void)wanted, (void)deadline;
  return shm_unavailable(error);
}

spc_status spc__shm_spin(spc__shm *self, uint32_t wanted, spc_error *error) {
  (void)self, (void)wanted;
  return shm_unavailable(error);
}

bool spc__shm_arm(spc__shm *self, uint32_t wanted) {
  (void)self, (void)wanted;
  return false;
}

spc_status spc__shm_take(spc__shm *self, uint8_t *out, uint64_t length, uint64_t *taken,
                         spc_error *error) {
  (void)self, (void)out, (void)length, (void)taken;
  return shm_unavailable(error);
}

spc_status spc__shm_read(spc__shm *self, uint8_t *out, uint64_t length, uint64_t deadline,
                         spc_error *error) {
  (void)self, (void)out, (void)length, (void)deadline;
  return shm_unavailable(error);
}

spc_status spc__shm_put(spc__shm *self, spc__shm_message *message, spc_error *error) {
  (void)self, (void)message;
  return shm_unavailable(error);
}

spc_status spc__shm_write(spc__shm *self, spc__shm_message message, uint64_t deadline,
                          spc_error *error) {
  (void)self, (void)message, (void)deadline;
  return shm_unavailable(error);
}

void spc__shm_ring_bell(spc__shm *self) {
  (void)self;
}

#endif
