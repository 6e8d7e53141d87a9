// From src/include/spicule/sponge.h by scripts/generate-typescript.mjs.
export const FIELD_BYTES = 32;
export const SPONGE_RATE = 3;
export const STATE_BYTES = 128;
export const SPONGE_BYTES = 233;
export const SPONGE_FIELDS = 10;
export const SPONGE_BLOB_MAX_FIELDS = 24576;

// From src/include/spicule/sha2.h by scripts/generate-typescript.mjs.
export const SHA256_BYTES = 32;
export const SHA384_BYTES = 48;
