/*
 * SHA-256 with the cryptographic extension of AArch64. sha256h and sha256h2 do four rounds on the
 * vectors ABCD and EFGH.
 */
#include "sha2/sha256_internal.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define EXT_NAME(name)           armv8_##name
#define EXT_BLOCKS               spc__sha256_blocks_armv8
#define EXT_PAIRS                spc__sha256_pairs_armv8
#define EXT_TARGET               __attribute__((target("+crypto")))
#define EXT_LANES                2
#define EXT_VECTOR               uint32x4_t
#define EXT_LOAD                 vld1q_u32
#define EXT_STORE                vst1q_u32
#define EXT_LOAD_BYTES(p)        vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)))
#define EXT_STORE_BYTES(p, x)    vst1q_u8(p, vrev32q_u8(vreinterpretq_u8_u32(x)))
#define EXT_ADD                  vaddq_u32
#define EXT_ENTER(s, abcd, efgh) ((s).x = (abcd), (s).y = (efgh))
#define EXT_LEAVE(s, abcd, efgh) ((abcd) = (s).x, (efgh) = (s).y)
#define EXT_ROUNDS(s, kw)                                                                          \
  do {                                                                                             \
    uint32x4_t kw_ = kw, abcd = (s).x;                                                             \
    (s).x = vsha256hq_u32(abcd, (s).y, kw_);                                                       \
    (s).y = vsha256h2q_u32((s).y, abcd, kw_);                                                      \
  } while (0)
#define EXT_SCHEDULE(w, x, y, z) vsha256su1q_u32(vsha256su0q_u32(w, x), y, z)
#include "sha2/sha256_extension.h"
#endif
