/* What a user's program looks like: two known answers through the installed headers. */
#include <spicule/spicule.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  static const uint8_t abc_digest[4] = {0xba, 0x78, 0x16, 0xbf};
  static const uint8_t permuted[4] = {0x01, 0xbd, 0x53, 0x8c};
  uint8_t digest[SPC_SHA256_BYTES];
  spc_sha256(digest, (const uint8_t *)"abc", 3);

  uint8_t state[SPC_STATE_BYTES] = {0};
  for (int i = 0; i < SPC_SPONGE_WIDTH; i++)
    state[32 * i + 31] = (uint8_t)i;
  spc_error error;
  spc_status status = spc_poseidon2_permute(state, state, &error);

  printf("spicule %s: %s\n", spc_version(), spc_status_message(status));
  if (strcmp(spc_version(), SPC_VERSION_STRING) != 0) return 1;
  return status != SPC_OK || memcmp(digest, abc_digest, 4) != 0 || memcmp(state, permuted, 4) != 0;
}
