// From src/include/spicule/status.h by scripts/generate-typescript.mjs.

/** What each code means: those that any part of the package may give. */
export const STATUSES = {
  texts: {
    INVALID_ARGUMENT: 'an argument is outside its documented range',
    INVALID_STATE: 'the object is in a state that does not allow this operation',
    UNKNOWN_OPERATION: 'this back end has no operation of that number',
    OUT_OF_MEMORY: 'the arena, pool or memory limit is exhausted',
    BUFFER_TOO_SMALL: 'the output buffer is smaller than the result',
    WRONG_LENGTH: 'the input has a length that this operation does not accept',
    TRUNCATED: 'the input ends before the value does',
    TRAILING_BYTES: 'the input goes on after the end of the value',
    MALFORMED: 'the input is not well formed',
    DEPTH_LIMIT: 'the nesting depth limit is exceeded',
    SIZE_LIMIT: 'the size limit is exceeded',
    COUNT_LIMIT: 'the element count limit is exceeded',
    NOT_FOUND: 'no item of that name or number exists',
    UNAVAILABLE: 'this build, engine or platform does not have what was asked for',
    NOT_CANONICAL: 'the field element is not below the modulus',
    BAD_SPONGE: 'the serialized sponge is not a state that absorbing can reach',
    OVERLONG_VARINT: 'a varint is longer than its type allows',
    BAD_FIELD_NUMBER: 'a tag has a field number that is out of range',
    BAD_WIRE_TYPE: 'a tag has a wire type that does not exist',
    GROUP_MISMATCH: 'a group ends that is not open, or does not end',
    BAD_UTF8: 'a string is not well-formed UTF-8',
    UNKNOWN_FIELD: 'the type has no such field',
    MISSING_REQUIRED: 'a required field is missing',
    BAD_DESCRIPTOR: 'a descriptor breaks the rules of its language',
    UNRESOLVED_NAME: 'a descriptor names a type that is not in the set',
    DUPLICATE_NAME: 'two descriptors or fields have the same name or number',
    WRONG_TYPE: 'the field is not of the kind that this call works on',
    BAD_JSON: 'the text is not well-formed JSON',
    BAD_JSON_VALUE: 'the JSON value does not fit the type of its field',
    UNKNOWN_TYPE: 'the schema has no type of that name',
    FIELD_ORDER: 'fields have to be written in order of their numbers',
    INTERNAL: 'the library failed in a way that no input should cause',
  },
  /** The numbers of those that do not follow the one before. */
  starts: { INVALID_ARGUMENT: 1, NOT_CANONICAL: 20, OVERLONG_VARINT: 30, INTERNAL: 120 },
} as const;

/** Those of SSZ. */
export const SSZ_STATUSES = {
  texts: {
    ZERO_LENGTH: 'a vector or bit vector type has length zero',
    NO_FIELDS: 'a container type has no fields or a union type no options',
    BAD_NAME: 'a field name is not a name or is used twice',
    BAD_ACTIVE_FIELDS: 'the active fields do not fit the fields',
    BAD_SELECTOR: 'a union type has an option or selector that is not allowed there',
    INCOMPATIBLE_OPTIONS: 'the options of a compatible union do not share a tree shape',
    BAD_TYPE_TEXT: 'the text is not a type',
    UNDEFINED_TYPE: 'no type of that name is defined',
    RECURSIVE_TYPE: 'a type contains itself',
    NO_DEFAULT: 'the type has no default value',
    BAD_BOOLEAN: 'a boolean is neither 0 nor 1',
    BAD_BIT_PADDING: 'a bit after the end of the bits is set',
    NO_DELIMITER: 'a bit list ends without its delimiting bit',
    BAD_OFFSET: 'an offset does not fit the fixed part or the offset before it',
    OVER_LIMIT: 'the value has more elements than its type allows',
    UNKNOWN_OPTION: 'the selector picks no option of the union',
    OUT_OF_RANGE: 'the index or path leads past the value',
    NO_SUCH_NODE: 'the generalized index leads past the leaves of the tree',
    BAD_PROOF: 'the proof is malformed',
    MISSING_FIELD: 'a field of the container is missing',
    BAD_VALUE: 'the text is not a value of the type',
  },
  /** The numbers of those that do not follow the one before. */
  starts: { ZERO_LENGTH: 70 },
} as const;

/** Those of transports. */
export const TRANSPORT_STATUSES = {
  texts: {
    UNREACHABLE: 'no server answers there',
    DISCONNECTED: 'the other end closed the connection or died',
    DEADLINE: 'the deadline passed before the answer came',
    BAD_FRAME: 'the frame is not one of this protocol',
    FRAME_LIMIT: 'the frame is longer than this end accepts',
    BAD_SHARED_MEMORY: 'the shared memory holds what the protocol does not allow',
    NO_SHARED_MEMORY: 'shared memory can\'t be had',
    NO_DESCRIPTORS: 'a file descriptor can\'t be had',
    NO_THREADS: 'a thread can\'t be had',
    TOO_MANY_CLIENTS: 'the server has as many clients as it takes',
    PEER_REFUSED: 'the other end belongs to another user',
    ADDRESS_IN_USE: 'another server listens at that path',
    BAD_ADDRESS: 'no socket can be at that path',
    SYSTEM_FAILURE: 'a system call failed',
  },
  /** The numbers of those that do not follow the one before. */
  starts: { UNREACHABLE: 100 },
} as const;

/** What went wrong, by name; the same names as the `SPC_` statuses of the C library. */
export type ErrorCode =
  | keyof typeof STATUSES.texts
  | keyof typeof SSZ_STATUSES.texts
  | keyof typeof TRANSPORT_STATUSES.texts;
