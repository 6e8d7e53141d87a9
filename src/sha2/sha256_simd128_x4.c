/*
 * SHA-256 of four 64-byte messages at once with Wasm SIMD. Built only into the modules that have
 * it.
 *
 * A round has 36 vector operations, as there is no rotation, and these fill the vector units. A
 * fifth message in general registers, in the hope of running beside them, made a hash take 1.14 to
 * 1.18 of the time on Node 20 to 26.
 */
#include "sha2/sha256_internal.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

#define LANES       4
#define LANES_PAIRS spc__sha256_pairs_simd128_x4
#define LANES_TARGET
#define LANES_GATHER(p)     wasm_v128_load(p)
#define LANES_SCATTER(p, x) wasm_v128_store(p, x)

#define LANES_SWAP(x) wasm_i8x16_shuffle(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)

#define LANES_LOW32(a, b)           wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define LANES_HIGH32(a, b)          wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define LANES_LOW64(a, b)           wasm_i64x2_shuffle(a, b, 0, 2)
#define LANES_HIGH64(a, b)          wasm_i64x2_shuffle(a, b, 1, 3)
#define ROUNDS_NAME(name)           simd128_##name
#define ROUNDS_FN                   static inline __attribute__((always_inline))
#define ROUNDS_WORD                 v128_t
#define ROUNDS_ADD                  wasm_i32x4_add
#define ROUNDS_XOR                  wasm_v128_xor
#define ROUNDS_XOR3(a, b, c)        ROUNDS_XOR(ROUNDS_XOR(a, b), c)
#define ROUNDS_ROTATE(x, n)         wasm_v128_or(wasm_u32x4_shr(x, n), wasm_i32x4_shl(x, 32 - (n)))
#define ROUNDS_SHIFT                wasm_u32x4_shr
#define ROUNDS_SPLAT(x)             wasm_v128_load32_splat(&(x))
#define ROUNDS_CH(e, f, g)          ROUNDS_XOR(g, wasm_v128_and(e, ROUNDS_XOR(f, g)))
#define ROUNDS_MAJ(a, b, c, ab, bc) ROUNDS_XOR(b, wasm_v128_and(ab, bc))
#include "sha2/sha256_lanes.h"
#include "sha2/rounds_end.h"
#endif
