import type { Specializer } from './loaded-specializer.js';
import { decodeSpecialized } from './specialize.js';
import { encodeSpecialized, encoderFor } from './specialize-encode.js';
import { tapeSpecialized } from './specialize-visit.js';

/** Makes code at run time for message types: see specialize.ts. */
export const specializer: Specializer = {
  decode: decodeSpecialized, encoderFor, encode: encodeSpecialized, tape: tapeSpecialized,
};
