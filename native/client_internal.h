/* The client in two halves, for callers that do not block: what the addon uses beside client.h. */
#ifndef SPC_NATIVE_CLIENT_INTERNAL_H
#define SPC_NATIVE_CLIENT_INTERNAL_H

#include "native/client.h"
#include "native/link.h"

struct spc_client {
  uint64_t max_request;
  uint64_t max_response;
  uint32_t sent_id;     /* of the last request; 0 is no id */
  uint32_t answered_id; /* of the last response; behind sent_id after a deadline */
  bool broken;          /* the connection can't be used any more */
  spc__link link;
};

/* Gives in `*out` the place for a response of `length` bytes; false: none, and it is dropped. */
typedef bool (*spc__client_place_fn)(void *user, size_t length, uint8_t **out);

/* The id that follows another; never 0. */
static inline uint32_t spc__client_next_id(uint32_t id) {
  return id == UINT32_MAX ? 1 : id + 1;
}

/*
 * Reads the next response, or drops it where `place` is NULL. SPC_OUT_OF_MEMORY where `place` gives
 * false. With SPC_DEADLINE before its first byte the client stays usable; else `broken` says
 * whether it does.
 */
spc_status spc__client_receive(spc_client *self, spc__client_place_fn place, void *user,
                               uint64_t deadline, spc_error *error);

/*
 * A call whose response, of `room` bytes at most, is read straight to where `place` says: the
 * statuses of spc_client_call, and SPC_OUT_OF_MEMORY where `place` gives false.
 */
spc_status spc__client_call(spc_client *self, uint32_t op, const uint8_t *request,
                            size_t request_length, uint64_t room, spc__client_place_fn place,
                            void *user, uint64_t timeout_ns, spc_error *error);

#endif
