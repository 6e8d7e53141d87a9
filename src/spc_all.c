/*
 * The whole core as one file: compile this with src/include and src on the include path, and link
 * nothing else. test/package/one_file.cmake checks that no source is missing.
 */
#include "base/arena.c"
#include "base/cpu.c"
#include "base/status.c"
#include "base/version.c"
#include "sha2/dispatch.c"
#include "sha2/sha256.c"
#include "sha2/sha256_portable.c"
#include "sha2/sha256_tables.c"
#include "sha2/sha384.c"
#include "ssz/bytes_root.c"
#include "ssz/check.c"
#include "ssz/circuit.c"
#include "ssz/json_text.c"
#include "ssz/merkle.c"
#include "ssz/schema.c"
#include "ssz/type.c"
#include "ssz/zeros.c"
#include "call/call.c"
#include "call/call_sha2.c"
#include "call/call_sponge.c"
