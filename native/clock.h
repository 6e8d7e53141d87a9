/* Deadlines: points of the monotonic clock, in nanoseconds. */
#ifndef SPC_NATIVE_CLOCK_H
#define SPC_NATIVE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The deadline that never passes, and the timeout that gives it. */
#define SPC_FOREVER UINT64_MAX

static inline uint64_t spc__now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

/* The deadline `timeout` nanoseconds from now. */
static inline uint64_t spc__deadline(uint64_t timeout) {
  uint64_t now = spc__now();
  return timeout > SPC_FOREVER - now ? SPC_FOREVER : now + timeout;
}

/* The time left until `deadline`, 0 when it has passed, as a timeout of poll(2); -1 for ever. */
static inline int spc__poll_timeout(uint64_t deadline) {
  if (deadline == SPC_FOREVER) return -1;
  uint64_t now = spc__now();
  uint64_t left = deadline > now ? (deadline - now + 999999u) / 1000000u : 0;
  return left > 1000000u ? 1000000 : (int)left;
}

#endif
