// The program that the official conformance runner talks to, over the JavaScript bindings: see
// testee.c. Every message goes through a plain object on its way, so that what is tested is not
// only the core but all reading and writing of fields. Arguments: modules of generated classes, which
// are used if there are any, and the descriptor set.
import assert from 'node:assert/strict';
import { readFileSync, readSync, writeSync } from 'node:fs';

import { SpiculeError, loadSchema } from '../../dist/codec.js';

const modules = await Promise.all(process.argv.slice(2, -1).map((path) => import(path)));
const schema = loadSchema(readFileSync(process.argv.at(-1)));
const generated = new Map(
  modules.flatMap((module) => Object.values(module))
    .filter((made) => typeof made === 'function')
    .map((made) => [made.typeName, made]),
);
const typeNamed = (name) =>
  generated.size === 0 ? schema.message(name) : (generated.get(name) ?? assert.fail(name));
const Request = typeNamed('conformance.ConformanceRequest');
const Response = typeNamed('conformance.ConformanceResponse');
const { PROTOBUF, JSON: JSON_FORMAT } = schema.enum('conformance.WireFormat').values;
const { JSON_IGNORE_UNKNOWN_PARSING_TEST } = schema.enum('conformance.TestCategory').values;

function read(length) {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const got = readSync(0, bytes, at, length - at);
    if (got === 0) return undefined;
    at += got;
  }
  return bytes;
}

/** What `run` gives, or the text of its error under `name`. */
function attempt(name, run) {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof SpiculeError)) throw error;
    return { result: { case: name, value: `${error.code} ${error.message}` } };
  }
}

function answer(request) {
  const { payload, requestedOutputFormat: format } = request;
  const known = payload?.case === 'protobufPayload' || payload?.case === 'jsonPayload';
  if (!known || (format !== PROTOBUF && format !== JSON_FORMAT)) {
    return { case: 'skipped', value: 'only binary and JSON' };
  }
  const Type = typeNamed(request.messageType);
  const parsed = attempt('parseError', () => {
    if (payload.case === 'protobufPayload') return Type.decode(payload.value);
    const ignoreUnknown = request.testCategory === JSON_IGNORE_UNKNOWN_PARSING_TEST;
    return Type.fromJSONString(payload.value, { ignoreUnknown });
  });
  if (parsed.result) return parsed.result;
  using(parsed.value, (message) => {
    parsed.copy = Type.fromObject(message.toObject());
  });
  return using(parsed.copy, (message) => {
    const written = attempt('serializeError', () =>
      format === PROTOBUF ? message.encode() : message.toJSONString(),
    );
    if (written.result) return written.result;
    return { case: format === PROTOBUF ? 'protobufPayload' : 'jsonPayload', value: written.value };
  });
}

function using(message, run) {
  try {
    return run(message);
  } finally {
    message.dispose();
  }
}

for (;;) {
  const head = read(4);
  if (head === undefined) break;
  const request = Request.parse(read(new DataView(head.buffer).getUint32(0, true)));
  const response = Response.encode({ result: answer(request) });
  const out = new Uint8Array(4 + response.length);
  new DataView(out.buffer).setUint32(0, response.length, true);
  out.set(response, 4);
  for (let at = 0; at < out.length; ) at += writeSync(1, out, at);
}
