/*
 * Status codes and error records, shared by every function of the library and by every binding.
 *
 * After a failure every output of the call is unspecified but in bounds, no memory needs to be
 * freed, and every object passed in is as it was before the call, unless the function's own
 * comment says otherwise.
 */
#ifndef SPICULE_STATUS_H
#define SPICULE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/export.h"

SPC_BEGIN_DECLS

/*
 * X(NAME, value, "message"): the one list of statuses. The enumerators, spc_status_name(),
 * spc_status_message() and the TypeScript error codes are all made from it. Values are pinned:
 * append within a range, never renumber, never reuse.
 * Ranges: 0 general, 20 sponge, 30 codec, 70 ssz, 100 transports, 120 internal.
 */
/* clang-format off */
#define SPC_STATUS_LIST(X)                                                                          \
  X(OK, 0, "success")                                                                               \
  X(INVALID_ARGUMENT, 1, "an argument is outside its documented range")                             \
  X(INVALID_STATE, 2, "the object is in a state that does not allow this operation")                \
  X(UNKNOWN_OPERATION, 3, "this back end has no operation of that number")                          \
  X(OUT_OF_MEMORY, 4, "the arena, pool or memory limit is exhausted")                               \
  X(BUFFER_TOO_SMALL, 5, "the output buffer is smaller than the result")                            \
  X(WRONG_LENGTH, 6, "the input has a length that this operation does not accept")                  \
  X(TRUNCATED, 7, "the input ends before the value does")                                           \
  X(TRAILING_BYTES, 8, "the input goes on after the end of the value")                              \
  X(MALFORMED, 9, "the input is not well formed")                                                   \
  X(DEPTH_LIMIT, 10, "the nesting depth limit is exceeded")                                         \
  X(SIZE_LIMIT, 11, "the size limit is exceeded")                                                   \
  X(COUNT_LIMIT, 12, "the element count limit is exceeded")                                         \
  X(NOT_FOUND, 13, "no item of that name or number exists")                                         \
  X(UNAVAILABLE, 14, "this build, engine or platform does not have what was asked for")              \
  X(NOT_CANONICAL, 20, "the field element is not below the modulus")                                \
  X(BAD_SPONGE, 21, "the serialized sponge is not a state that absorbing can reach")                \
  X(OVERLONG_VARINT, 30, "a varint is longer than its type allows")                                 \
  X(BAD_FIELD_NUMBER, 31, "a tag has a field number that is out of range")                          \
  X(BAD_WIRE_TYPE, 32, "a tag has a wire type that does not exist")                                 \
  X(GROUP_MISMATCH, 33, "a group ends that is not open, or does not end")                           \
  X(BAD_UTF8, 34, "a string is not well-formed UTF-8")                                              \
  X(UNKNOWN_FIELD, 35, "the type has no such field")                                                \
  X(MISSING_REQUIRED, 36, "a required field is missing")                                            \
  X(BAD_DESCRIPTOR, 37, "a descriptor breaks the rules of its language")                            \
  X(UNRESOLVED_NAME, 38, "a descriptor names a type that is not in the set")                        \
  X(DUPLICATE_NAME, 39, "two descriptors or fields have the same name or number")                   \
  X(WRONG_TYPE, 40, "the field is not of the kind that this call works on")                         \
  X(BAD_JSON, 41, "the text is not well-formed JSON")                                               \
  X(BAD_JSON_VALUE, 42, "the JSON value does not fit the type of its field")                        \
  X(UNKNOWN_TYPE, 43, "the schema has no type of that name")                                        \
  X(FIELD_ORDER, 44, "fields have to be written in order of their numbers")                         \
  X(ZERO_LENGTH, 70, "a vector or bit vector type has length zero")                                 \
  X(NO_FIELDS, 71, "a container type has no fields or a union type no options")                     \
  X(BAD_NAME, 72, "a field name is not a name or is used twice")                                    \
  X(BAD_ACTIVE_FIELDS, 73, "the active fields do not fit the fields")                               \
  X(BAD_SELECTOR, 74, "a union type has an option or selector that is not allowed there")           \
  X(INCOMPATIBLE_OPTIONS, 75, "the options of a compatible union do not share a tree shape")        \
  X(BAD_TYPE_TEXT, 76, "the text is not a type")                                                    \
  X(UNDEFINED_TYPE, 77, "no type of that name is defined")                                          \
  X(RECURSIVE_TYPE, 78, "a type contains itself")                                                   \
  X(NO_DEFAULT, 79, "the type has no default value")                                                \
  X(BAD_BOOLEAN, 80, "a boolean is neither 0 nor 1")                                                \
  X(BAD_BIT_PADDING, 81, "a bit after the end of the bits is set")                                  \
  X(NO_DELIMITER, 82, "a bit list ends without its delimiting bit")                                 \
  X(BAD_OFFSET, 83, "an offset does not fit the fixed part or the offset before it")                \
  X(OVER_LIMIT, 84, "the value has more elements than its type allows")                             \
  X(UNKNOWN_OPTION, 85, "the selector picks no option of the union")                                \
  X(OUT_OF_RANGE, 86, "the index or path leads past the value")                                     \
  X(NO_SUCH_NODE, 87, "the generalized index leads past the leaves of the tree")                    \
  X(BAD_PROOF, 88, "the proof is malformed")                                                        \
  X(MISSING_FIELD, 89, "a field of the container is missing")                                       \
  X(BAD_VALUE, 90, "the text is not a value of the type")                                           \
  X(UNREACHABLE, 100, "no server answers there")                                                    \
  X(DISCONNECTED, 101, "the other end closed the connection or died")                               \
  X(DEADLINE, 102, "the deadline passed before the answer came")                                    \
  X(BAD_FRAME, 103, "the frame is not one of this protocol")                                        \
  X(FRAME_LIMIT, 104, "the frame is longer than this end accepts")                                  \
  X(BAD_SHARED_MEMORY, 105, "the shared memory holds what the protocol does not allow")             \
  X(NO_SHARED_MEMORY, 106, "shared memory can't be had")                                            \
  X(NO_DESCRIPTORS, 107, "a file descriptor can't be had")                                          \
  X(NO_THREADS, 108, "a thread can't be had")                                                       \
  X(TOO_MANY_CLIENTS, 109, "the server has as many clients as it takes")                            \
  X(PEER_REFUSED, 110, "the other end belongs to another user")                                     \
  X(ADDRESS_IN_USE, 111, "another server listens at that path")                                     \
  X(BAD_ADDRESS, 112, "no socket can be at that path")                                              \
  X(SYSTEM_FAILURE, 113, "a system call failed")                                                    \
  X(INTERNAL, 120, "the library failed in a way that no input should cause")
/* clang-format on */

typedef enum spc_status {
#define SPC_STATUS_ENUMERATOR(name, value, message) SPC_##name = value,
  SPC_STATUS_LIST(SPC_STATUS_ENUMERATOR)
#undef SPC_STATUS_ENUMERATOR
} spc_status;

/* Marks a position of spc_error that does not apply. */
#define SPC_NO_POSITION UINT64_MAX

/* Size in bytes of spc_error.path, the terminating zero included. */
#define SPC_ERROR_PATH_SIZE 160

/*
 * What went wrong and where. Functions that take a `spc_error *` fill it on failure only and
 * accept NULL. Positions that do not apply hold SPC_NO_POSITION; an absent path is "".
 */
typedef struct spc_error {
  spc_status status;
  uint64_t offset;                /* byte offset in the input */
  uint64_t index;                 /* index of the offending element, argument or field */
  uint64_t limit;                 /* the limit that was exceeded, or the size that was needed */
  char path[SPC_ERROR_PATH_SIZE]; /* names from the root to the field, such as "a.b[3].c" */
} spc_error;

/* The name of a status, such as "NOT_CANONICAL"; "UNKNOWN" for a value outside the list. */
SPC_API const char *spc_status_name(spc_status status);

/* A one-line English description of a status; never NULL. */
SPC_API const char *spc_status_message(spc_status status);

SPC_END_DECLS

#endif
