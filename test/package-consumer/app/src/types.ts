// The types as a strict consumer meets them. Compiled, never run; a line after @ts-expect-error has
// to be an error.
import {
  SpiculeError,
  createInstance,
  loadSync,
  type AsyncBackend,
  type ErrorCode,
  type SyncBackend,
  type Variant,
} from 'spicule';
import * as ssz from 'spicule/ssz';
import { Sha256, sha256, sha256Into, sha256Pairs, sha384 } from 'spicule/sha2';
import {
  Sponge,
  SpongeBlob,
  compress,
  compressMany,
  createInstanceSync,
  fieldToBigint,
  fieldsFromBigints,
  fieldsToBigints,
  hash,
  hashInto,
  hashMany,
  merkleRoot,
  permute,
  permuteInto,
  permuteMany,
  type Field,
  type SpongeOperations,
} from 'spicule/sponge';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<Holds extends true>(): Holds | void {}

const flat = new Uint8Array(128);
const numbers: readonly bigint[] = [1n, 2n];
const mixed: readonly Field[] = [1n, flat];
const pieces: Uint8Array[] = [flat, flat];

// Flat bytes give bytes, arrays give bigints.
export const bytes: Uint8Array[] = [
  hash(flat),
  permute(flat),
  permuteMany(flat),
  compress(flat, flat),
  compressMany(flat),
  merkleRoot(flat),
  hashMany(flat, 2),
  ...hashMany([flat, flat]),
  sha256(flat),
  sha256Pairs(flat),
  sha384(flat),
];
is<Same<ReturnType<typeof fieldToBigint>, bigint>>();
const one = hash(numbers);
is<Same<typeof one, bigint>>();
const fromPieces = hash(pieces);
is<Same<typeof fromPieces, bigint>>();
const fromMixed = compress(1n, flat);
is<Same<typeof fromMixed, bigint>>();
const many = permute(mixed);
is<Same<typeof many, bigint[]>>();
const hashes = hashMany([[1n], [flat, 2n]]);
is<Same<typeof hashes, bigint[]>>();
const root = merkleRoot([1n, 2n]);
is<Same<typeof root, bigint>>();
const written = hashInto(flat, flat);
is<Same<typeof written, void>>();
const converted = fieldsToBigints(fieldsFromBigints([1n]));
is<Same<typeof converted, bigint[]>>();

// What the results are good for.
export const buffer: ArrayBuffer = hash(flat).buffer as ArrayBuffer;

// @ts-expect-error numbers are not fields
hash([1, 2]);
// @ts-expect-error one number is not a list of fields
hash(1n);
// @ts-expect-error other arrays of bytes are not Uint8Array
hash(new Uint16Array(32));
// @ts-expect-error flat messages need to know how long each is
hashMany(flat);
// @ts-expect-error Into takes flat bytes
hashInto(flat, [1n]);
// @ts-expect-error out comes first
permuteInto([1n], flat);
// @ts-expect-error text is not bytes
sha256('abc');
// @ts-expect-error both are needed
sha256Into(flat);

// Sponges.
const sponge: Sponge = new Sponge(1n);
sponge.absorb(1n);
sponge.absorb(flat);
sponge.absorb(mixed);
const state = sponge.toFields();
is<Same<typeof state, bigint[]>>();
const clone: Sponge = sponge.clone();
export const restored: SpongeBlob = SpongeBlob.deserialize(clone.serialize(), 100);
new SpongeBlob().squeezeInto(flat);
// @ts-expect-error the IV is needed
new Sponge();
// @ts-expect-error counts are numbers
new SpongeBlob(5n);
// @ts-expect-error numbers are not fields
sponge.absorb(1);

// Streams.
const stream: Sha256 = new Sha256().update(flat);
export const digest: Uint8Array = stream.clone().digest();
// @ts-expect-error text is not bytes
stream.update('abc');

// Back ends: one interface, apart by how they answer.
export async function backends(now: SyncBackend, later: AsyncBackend): Promise<void> {
  const here = now.sponge.hash([1n]);
  is<Same<typeof here, bigint>>();
  const there = later.sponge.hash([1n]);
  is<Same<typeof there, Promise<bigint>>>();
  const object = new later.sponge.Sponge(1n);
  const absorbed = object.absorb(1n);
  is<Same<typeof absorbed, Promise<void>>>();
  const digest: Uint8Array = await later.sha2.sha256(flat);
  const response: Uint8Array = now.call(1, digest);
  // @ts-expect-error a promise is no result
  const wrong: bigint = later.sponge.hash([1n]);
  // @ts-expect-error a back end that answers by promises can't stand in
  const swapped: SyncBackend = later;
  void [response, wrong, swapped];
}

// Loading.
export async function instances(): Promise<void> {
  using own = await createInstance({ variant: 'baseline' });
  const operations: SpongeOperations = own.sponge;
  const backend: SyncBackend = own;
  const variant: Variant | undefined = own.sponge.variant;
  using other = createInstanceSync({ through: 'call' });
  loadSync();
  // @ts-expect-error no such variant
  await createInstance({ variant: 'avx2' });
  void [operations, backend, variant, other];
}

// Errors.
export function describe(error: unknown): ErrorCode | undefined {
  if (!(error instanceof SpiculeError)) return undefined;
  const position: number | bigint | undefined = error.offset ?? error.index ?? error.limit;
  const path: string | undefined = error.path;
  // @ts-expect-error not a code
  if (error.code === 'TERRIBLE') return undefined;
  // @ts-expect-error errors are read only
  error.code = 'NOT_CANONICAL';
  void [position, path];
  return error.code;
}

// SSZ: values, inputs and views follow from the type.
const Validator = ssz.container({ pubkey: ssz.byteVector(48), balance: ssz.uint64, slashed: ssz.boolean });
const State = ssz.container({ slot: ssz.uint64Number, validators: ssz.list(Validator, 8), bits: ssz.bitlist(8) });
const value = State.deserialize(flat);
is<Same<typeof value.slot, number>>();
is<Same<(typeof value.validators)[0]['balance'], bigint>>();
value.slot = 5;
const beacon = State.toView({ slot: 1, validators: [{ pubkey: flat, balance: 2, slashed: true }], bits: [true] });
beacon.slot = 6;
beacon.validators.get(0).balance = 7n;
beacon.clone().validators.push({ pubkey: flat, balance: 1n, slashed: false });
is<Same<ReturnType<typeof beacon.toValue>['validators'][0]['slashed'], boolean>>();
const union = ssz.union([null, ssz.uint8]).deserialize(flat);
if (union.selector === 1) is<Same<typeof union.data, number>>();
// @ts-expect-error no such field
beacon.nothing;
// @ts-expect-error a bigint is no number
value.slot = 5n;
// @ts-expect-error a field is missing
State.serialize({ slot: 1, validators: [] });
// @ts-expect-error text is no integer
beacon.validators.get(0).balance = '7';
