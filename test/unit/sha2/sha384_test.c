/*
 * SHA-384 of messages. The known answers are the examples of NIST's "Cryptographic Standards and
 * Guidelines: Example Values" and of FIPS 180-2, appendix D; the hash of the digests is by
 * node:crypto:
 *   node test/unit/sha2/hash_of_digests.mjs
 */
#define HASH       spc_sha384
#define HASH_BYTES SPC_SHA384_BYTES
#define HASH_BITS  64
#include "unit/sha2/message_tests.h"

static const hash_vector vectors[] = {
    {"", 0,
     "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b"
     "95b"},
    {"abc", 1,
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c82"
     "5a7"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c84"
     "52b"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
     "qrs"
     "mnopqrstnopqrstu",
     1,
     "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746"
     "039"},
    {"a", 1000000,
     "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8"
     "985"},
};

int main(void) {
  message_tests(vectors, sizeof vectors / sizeof vectors[0],
                "80e3889f16595105b3522047c1e668b4e51531d98a660101516923ebdb1cf359b8a3bd514465820fa1"
                "94d12fa7cc37f6");
  return test_end();
}
