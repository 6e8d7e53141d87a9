/*
 * SHA-384 (FIPS 180-4, 6.5): SHA-512 with its own initial state, of which six words are the digest.
 * Portable C only, as nothing here hashes much with it.
 */
#include "base/bytes.h"
#include "spicule/sha2.h"

static const uint64_t sha384_iv[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

static const uint64_t sha384_k[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

#define SHA384_ROTATE(x, n) ((x) >> (n) | (x) << (64 - (n)))

#define ROUNDS_NAME(name)           sha384_##name
#define ROUNDS_FN                   static inline
#define ROUNDS_WORD                 uint64_t
#define ROUNDS_COUNT                80
#define ROUNDS_ADD(a, b)            ((a) + (b))
#define ROUNDS_XOR(a, b)            ((a) ^ (b))
#define ROUNDS_CH(e, f, g)          ((g) ^ ((e) & ((f) ^ (g))))
#define ROUNDS_MAJ(a, b, c, ab, bc) ((b) ^ ((ab) & (bc)))

#define ROUNDS_SUM0(x)   (SHA384_ROTATE(x, 28) ^ SHA384_ROTATE(x, 34) ^ SHA384_ROTATE(x, 39))
#define ROUNDS_SUM1(x)   (SHA384_ROTATE(x, 14) ^ SHA384_ROTATE(x, 18) ^ SHA384_ROTATE(x, 41))
#define ROUNDS_SIGMA0(x) (SHA384_ROTATE(x, 1) ^ SHA384_ROTATE(x, 8) ^ (x) >> 7)
#define ROUNDS_SIGMA1(x) (SHA384_ROTATE(x, 19) ^ SHA384_ROTATE(x, 61) ^ (x) >> 6)

#define ROUNDS_K(i) sha384_k[i]
#include "sha2/rounds.h"
#include "sha2/rounds_end.h"

static void sha384_blocks(uint64_t state[8], const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += 128) {
    uint64_t w[16];
    for (int i = 0; i < 16; i++)
      w[i] = spc__load64_be(in + 8 * i);
    sha384_compress(state, w);
  }
}

#define STREAM_HASH   spc_sha384
#define STREAM_BLOCK  128
#define STREAM_DIGEST SPC_SHA384_BYTES
#define STREAM_IV     sha384_iv
#define STREAM_BLOCKS sha384_blocks
#define STREAM_STORE  spc__store64_be
#include "sha2/stream.h"

void spc_sha384(uint8_t out[SPC_SHA384_BYTES], const uint8_t *in, size_t length) {
  spc_sha384_stream stream;
  spc_sha384_init(&stream);
  spc_sha384_update(&stream, in, length);
  spc_sha384_final(&stream, out);
}

#undef SHA384_ROTATE
