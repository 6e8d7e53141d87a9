// From src/include/spicule/operations.h by scripts/generate-typescript.mjs.

/** The numbers of the operations of `call`; operations.h describes requests and responses. */
export const OPERATIONS = {
  PERMUTE: 1,
  PERMUTE_MANY: 2,
  HASH: 3,
  HASH_MANY: 4,
  COMPRESS_MANY: 5,
  ABSORB: 6,
  SQUEEZE: 7,
  SHA256: 16,
  SHA256_PAIRS: 17,
  SHA384: 18,
  REGISTER_SCHEMA: 32,
  VALIDATE: 33,
  TO_JSON: 34,
  FROM_JSON: 35,
  SSZ_REGISTER: 48,
  SSZ_VALIDATE: 49,
  SSZ_ROOT: 50,
  SSZ_TO_JSON: 51,
  SSZ_FROM_JSON: 52,
  SSZ_VERIFY_PROOF: 53,
} as const;
