/*
 * SHA-256 of messages and of pairs, by the kernel in use. The known answers are the examples of
 * NIST's "Cryptographic Standards and Guidelines: Example Values" and of FIPS 180-2, appendix B;
 * the hash of the digests is by node:crypto: node test/unit/sha2/hash_of_digests.mjs
 */
#ifndef SPC_TEST_UNIT_SHA2_SHA256_MESSAGES_H
#define SPC_TEST_UNIT_SHA2_SHA256_MESSAGES_H

#define HASH       spc_sha256
#define HASH_BYTES SPC_SHA256_BYTES
#define HASH_BITS  32
#include "unit/sha2/message_tests.h"

static const hash_vector vectors[] = {
    {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
     "qrs"
     "mnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

/* Every pair, at many counts, in place and not, with nothing written past the end. */
static void pairs_are_the_hashes_of_their_messages(void) {
  enum { MOST = 100 };
  static uint8_t in[64 * MOST], out[32 * MOST + 1], expected[32 * MOST];
  uint64_t seed = 4;
  test_random_bytes(&seed, in, sizeof in);
  for (size_t i = 0; i < MOST; i++)
    textbook_sha2(32, expected + 32 * i, in + 64 * i, 64);
  for (size_t count = 0; count <= MOST; count++) {
    memset(out, 0x55, sizeof out);
    spc_sha256_pairs(out, in, count);
    CHECK_BYTES(out, expected, 32 * count);
    CHECK(out[32 * count] == 0x55);
  }
  spc_sha256_pairs(in, in, MOST);
  CHECK_BYTES(in, expected, sizeof expected);
}

static void sha256_message_tests(void) {
  message_tests(vectors, sizeof vectors / sizeof vectors[0],
                "b90e35153500e9a471591550ee25a954527c6b4448afff95f7949a2ca93300ce");
  pairs_are_the_hashes_of_their_messages();
}

#endif
