import * as embedded from '../wasm/codec_json.js';
import { aligned, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { OptionKinds } from '../core/options.js';
import { unpackModule } from '../core/text.js';
import type { Arena } from './arena.js';
import { type Compiled, type Engine, LONE_SURROGATE, encoder } from './engine.js';
import type { ProtoJson } from './loaded-json.js';
import { type Json, type JsonReadOptions, type JsonWriteOptions, limited } from './message.js';
import { DEPTH_MAX, isPlain } from './record.js';
import { readUint32 } from './scalar.js';
import type { MessageInfo } from './type.js';

// ---- The module ----

interface JsonExports {
  readonly codec_to_json: (...words: number[]) => number;
  readonly codec_from_json: (...words: number[]) => number;
}

/** For its constants; test/wasm checks that it does not have more. */
const PART_BYTES = 1024;

const parts = /* @__PURE__ */ new WeakMap<Engine, JsonExports>();
let compiled: WebAssembly.Module | undefined;

function refusal(cause: unknown): SpiculeError {
  const note = `the engine does not run the module of ProtoJSON: ${(cause as Error).message}`;
  return new SpiculeError('UNAVAILABLE', { cause }, note);
}

/**
 * Compiles the module of ProtoJSON, which the first use does otherwise; main threads of browsers may
 * refuse that.
 */
export async function load(): Promise<void> {
  const { baseline } = embedded as { readonly baseline?: string };
  if (compiled !== undefined || baseline === undefined) return;
  try {
    compiled = await WebAssembly.compile(unpackModule(baseline));
  } catch (error) {
    throw refusal(error);
  }
}

/** The functions of the module, linked to that of an engine, unless that has them itself. */
function partOf(engine: Engine): JsonExports {
  const known = parts.get(engine);
  if (known !== undefined) return known;
  const { wasm } = engine;
  wasm.reserve(0);
  let part = wasm.exports as unknown as JsonExports;
  if (part.codec_to_json === undefined) part = linked(engine);
  parts.set(engine, part);
  return part;
}

function linked(engine: Engine): JsonExports {
  const { wasm } = engine;
  const base = wasm.exports.codec_take(PART_BYTES);
  if (base === 0) throw engine.regions.exhausted();
  wasm.refresh();
  try {
    compiled ??= new WebAssembly.Module(unpackModule((embedded as { readonly baseline: string }).baseline));
    const __memory_base = new WebAssembly.Global({ value: 'i32' }, base);
    const env = { ...wasm.raw, memory: wasm.memory, __memory_base } as unknown as WebAssembly.ModuleImports;
    const { exports } = new WebAssembly.Instance(compiled, { env });
    const functions = exports as unknown as JsonExports & { __wasm_apply_data_relocs(): void };
    functions.__wasm_apply_data_relocs();
    return {
      codec_to_json: wasm.guarded(functions.codec_to_json),
      codec_from_json: wasm.guarded(functions.codec_from_json),
    };
  } catch (error) {
    throw refusal(error);
  }
}

// ---- Options ----

const WRITE_KINDS: OptionKinds<JsonWriteOptions> = {
  emitDefaults: 'boolean', protoNames: 'boolean', enumNumbers: 'boolean', partial: 'boolean',
  maxDepth: 'number', registry: 'any',
};
const READ_KINDS: OptionKinds<JsonReadOptions> = {
  ignoreUnknown: 'boolean', partial: 'boolean', maxDepth: 'number', registry: 'any',
};

function flagsOf(options: JsonReadOptions & JsonWriteOptions): number {
  return (
    (options.emitDefaults === true ? 1 : 0) |
    (options.protoNames === true ? 2 : 0) |
    (options.enumNumbers === true ? 4 : 0) |
    (options.ignoreUnknown === true ? 8 : 0) |
    (options.partial === true ? 16 : 0)
  );
}

/** Where the types of google.protobuf.Any are. */
function registryOf(engine: Engine, { registry }: JsonReadOptions, own: Compiled): Compiled {
  if (registry === undefined) return own;
  if (typeof registry?.descriptors !== 'function') throw wrongType('registry', 'a Schema', registry);
  return engine.compiled(registry);
}

// ---- Values ----

/**
 * The text of a value: as `JSON.stringify` makes it, but bigints are numbers, -0 and what is not finite
 * stay what they are, and what has no JSON is an error. Undefined where a property is left out.
 */
function textOf(given: unknown, path: string, depth: number): string | undefined {
  const { toJSON } = (given ?? {}) as { toJSON?: unknown };
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, path) : given;
  if (depth > DEPTH_MAX) throw new SpiculeError('DEPTH_LIMIT', { limit: DEPTH_MAX });
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) as string | undefined;
  if (Array.isArray(value)) {
    return `[${Array.from(value, (one, i) => textOf(one, `${path}[${i}]`, depth + 1) ?? 'null').join()}]`;
  }
  if (!isPlain(value)) throw wrongType(path || 'value', 'a JSON value', value);
  const members = Object.entries(value).flatMap(([key, one]) => {
    const text = textOf(one, path === '' ? key : `${path}.${key}`, depth + 1);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join()}}`;
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return `"${value}"`;
  const size = Math.abs(value);
  if (size <= Number.MAX_SAFE_INTEGER || size > 2 ** 64 || !Number.isInteger(value)) return `${value}`;
  // Rounded to the same float or double, but no integer: one of which some digits may be lost.
  const whole = BigInt(size) - (Math.fround(size) < size ? 1n : 0n);
  return `${value < 0 ? '-' : ''}${whole}.5`;
}

/** The error with what it is about; `hidden`: without its place in a text that the caller never saw. */
function told(error: unknown, text: Uint8Array, hidden: boolean): unknown {
  if (!(error instanceof SpiculeError) || error.offset === undefined) return error;
  const { code, offset, path, limit } = error;
  const rest = new TextDecoder().decode(text.subarray(Number(offset), Number(offset) + 1000));
  const name = { UNKNOWN_FIELD: /^("[^"]*")/, UNKNOWN_TYPE: /"@type"\s*:\s*("[^"]*")/ }[code as string];
  return new SpiculeError(code, { path, limit, offset: hidden ? undefined : offset }, name?.exec(rest)?.[1]);
}

// ---- Both ways ----

function read(
  engine: Engine, type: MessageInfo, text: string, options: JsonReadOptions | undefined, hidden: boolean,
): Arena {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text);
  const checked = limited(options, READ_KINDS) ?? {};
  const schema = engine.compiled(type.schema);
  const registry = registryOf(engine, checked, schema);
  const { codec_from_json: run } = partOf(engine);
  // An encoder would write another character in its place.
  if (LONE_SURROGATE.test(text)) throw new SpiculeError('BAD_UTF8', { path: 'text' });
  const bytes = encoder.encode(text);
  const arena = engine.arena(schema, 2 * text.length + 1024);
  try {
    const address = engine.typeAddress(schema, type);
    engine.callJson(arena, registry, flagsOf(checked), checked, bytes, (at) => run(address, at, bytes.length));
  } catch (error) {
    arena.dispose();
    throw told(error, bytes, hidden);
  }
  return arena;
}

export const json: ProtoJson = {
  write(arena, type, ref, options) {
    const checked = limited(options, WRITE_KINDS) ?? {};
    const { engine, schema } = arena;
    const registry = registryOf(engine, checked, schema);
    arena.ready();
    const { codec_to_json: run } = partOf(engine);
    const address = engine.typeAddress(schema, type);
    let capacity = 4096;
    for (;;) {
      const { at, length } = engine.callJson(arena, registry, flagsOf(checked), checked, capacity,
        (place) => run(address, ref, place, capacity));
      if (length <= capacity) return engine.textAt(at, length);
      capacity = aligned(length);
    }
  },

  read: (engine, type, text, options) => read(engine, type, text, options, false),

  readValue(engine, type, value, options) {
    const text = textOf(value, '', 0);
    if (text === undefined) throw wrongType('value', 'a JSON value', value);
    return read(engine, type, text, options, true);
  },

  part(arena, ref, { owner, extension, jsonName, name }) {
    const at = extension === undefined ? ref : readUint32(arena.ready(), ref + owner.extensionsAt);
    const whole = JSON.parse(json.write(arena, owner, at, { partial: true })) as Json;
    // These are nothing but their one field.
    if (/^google\.protobuf\.(Struct|ListValue)$/.test(owner.name)) return whole;
    const key = extension === undefined ? jsonName : name;
    return Object.hasOwn(whole as object, key) ? (whole as { [key: string]: Json })[key] : undefined;
  },
};
