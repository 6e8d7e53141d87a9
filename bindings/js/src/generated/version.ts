// From src/include/spicule/spicule.h by scripts/generate-typescript.mjs.

/** The version of this package and of the C library inside. */
export const VERSION = '0.1.0';
