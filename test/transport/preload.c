/*
 * For tests of programs: a library that is loaded before the others and lets the functions fail
 * that SPICULE_FAULTS names, each time, as when what they give can't be had.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

int posix_fallocate(int fd, off_t at, off_t size);

static bool preload_fails(const char *name) {
  const char *names = getenv("SPICULE_FAULTS");
  return names != NULL && strstr(names, name) != NULL;
}

/* The function itself, in the next library. A union, since ISO C has no cast from object to code.
 */
#define PRELOAD_NEXT(type, name, parameters)                                                       \
  union {                                                                                          \
    void *object;                                                                                  \
    type(*function) parameters;                                                                    \
  } next = {.object = dlsym(RTLD_NEXT, #name)}

int memfd_create(const char *name, unsigned flags) {
  PRELOAD_NEXT(int, memfd_create, (const char *, unsigned));
  if (!preload_fails("memfd_create")) return next.function(name, flags);
  errno = ENOMEM;
  return -1;
}

int posix_fallocate(int fd, off_t at, off_t size) {
  PRELOAD_NEXT(int, posix_fallocate, (int, off_t, off_t));
  return preload_fails("posix_fallocate") ? ENOSPC : next.function(fd, at, size);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  PRELOAD_NEXT(void *, mmap, (void *, size_t, int, int, int, off_t));
  if ((flags & MAP_SHARED) == 0 || !preload_fails("mmap"))
    return next.function(address, length, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user) {
  PRELOAD_NEXT(int, pthread_create,
               (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));
  return preload_fails("pthread_create") ? EAGAIN : next.function(thread, attributes, run, user);
}
