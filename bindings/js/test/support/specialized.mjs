// Types of which one in each pair is decoded and encoded by code that is made at run time from the
// first message on, however much it gives up; the other by the tables.
import { readFileSync } from 'node:fs';

import { createInstanceSync } from '../../../../dist/codec.js';
import { tuning } from '../../../../dist/codec/specialize.js';
import './specialize-always.mjs';

const read = (path) => readFileSync(new URL(`../../../../${path}`, import.meta.url));
export const CONFORMANCE = read('test/vectors/codec/conformance.fds');
export const HAPI = read('bench/workloads/hapi/hapi.fds');
export const PROTO2 = 'protobuf_test_messages.proto2.TestAllTypesProto2';
export const PROTO3 = 'protobuf_test_messages.proto3.TestAllTypesProto3';

/** Seconds that random messages go on beyond what a test has. */
export const SECONDS = Number(process.env.SPICULE_FUZZ_SECONDS ?? 0);

/** A type in an instance without and in one with specialised code. */
export function pairOf(descriptors, name, options) {
  return [false, true].map((specialize) =>
    createInstanceSync({ ...options, specialize }).loadSchema(descriptors).message(name));
}

/** What there is of code for a type: `decoders` or `encoders`. */
export const stateOf = (Type, which) =>
  Type.$type.schema.engine.compiled(Type.$type.schema)[which][Type.$type.id];

const forever = tuning.warmUp;

/** Runs with types that have the warm-up of a user's. */
export function warmingUp(bytes, run) {
  tuning.warmUp = bytes;
  try {
    return run();
  } finally {
    tuning.warmUp = forever;
  }
}
