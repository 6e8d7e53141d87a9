import {
  type Bytes,
  bytesArgument,
  filled,
  isBytes,
  u32Argument,
  wrongType,
} from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type Maybe, type Mode, attempt, inOrder, promising, then } from '../core/flow.js';
import { FIELD_BYTES } from '../generated/sizes.js';
import type { SpongeEngine } from './engines.js';
import {
  FIELD_LENGTH,
  type Field,
  fieldArgument,
  fieldToBigint,
  fieldsToBigints,
  flat,
  flatten,
} from './fields.js';
import { spongeConstructors } from './sponge.js';
import type { SpongeOperations } from './types.js';

type Fields = Uint8Array | readonly Field[];

/**
 * What `fill` makes of `fields` in `size` bytes: bytes where the fields were flat bytes, bigints
 * where they were an array.
 */
function inKind(
  fields: Fields,
  size: number,
  fill: (out: Uint8Array) => Maybe<void>,
  convert: (bytes: Uint8Array) => bigint | bigint[],
): Maybe<Bytes | bigint | bigint[]> {
  const out = filled(size, fill);
  return isBytes(fields) ? out : then(out, convert);
}

/** The operations over an engine, which answers in that mode. */
export function spongeOperations<M extends Mode>(
  engine: SpongeEngine,
  mode: M,
): SpongeOperations<M> {
  const into =
    (run: (out: Uint8Array, bytes: Uint8Array) => Maybe<void>, name: string) =>
    (out: Uint8Array, bytes: Uint8Array): Maybe<void> =>
      run(bytesArgument(out, 'out'), bytesArgument(bytes, name));

  const operations = {
    permute(state: Fields) {
      const bytes = flat(state, 'state');
      return inKind(state, bytes.length, (out) => engine.permute(out, bytes), fieldsToBigints);
    },
    permuteInto: into((out, state) => engine.permute(out, state), 'state'),

    permuteMany(states: Fields) {
      const bytes = flat(states, 'states');
      return inKind(states, bytes.length, (out) => engine.permuteMany(out, bytes), fieldsToBigints);
    },
    permuteManyInto: into((out, states) => engine.permuteMany(out, states), 'states'),

    hash(fields: Fields) {
      const bytes = flat(fields, 'fields');
      return inKind(fields, FIELD_BYTES, (out) => engine.hash(out, bytes), fieldToBigint);
    },
    hashInto: into((out, fields) => engine.hash(out, fields), 'fields'),

    hashMany(fields: Uint8Array | readonly Fields[], fieldsEach?: number) {
      if (!isBytes(fields)) return hashMessages(engine, fields);
      const each = u32Argument(fieldsEach, 'fieldsEach');
      const messages = messageCount(fields, each);
      const size = FIELD_BYTES * messages;
      return filled(size, (out) => engine.hashMany(out, fields, each, messages));
    },
    hashManyInto(out: Uint8Array, fields: Uint8Array, fieldsEach: number) {
      const each = u32Argument(fieldsEach, 'fieldsEach');
      const messages = messageCount(bytesArgument(fields, 'fields'), each);
      return engine.hashMany(bytesArgument(out, 'out'), fields, each, messages);
    },

    compress(left: Field, right: Field) {
      const fields = [fieldArgument(left, 'left'), fieldArgument(right, 'right')];
      const pair = flatten(fields, 'fields');
      const out = filled(FIELD_BYTES, (bytes) => engine.compressMany(bytes, pair));
      return isBytes(left) && isBytes(right) ? out : then(out, fieldToBigint);
    },

    compressMany(pairs: Fields) {
      const bytes = flat(pairs, 'pairs');
      const size = Math.floor(bytes.length / 2);
      return inKind(pairs, size, (out) => engine.compressMany(out, bytes), fieldsToBigints);
    },
    compressManyInto: into((out, pairs) => engine.compressMany(out, pairs), 'pairs'),

    merkleRoot(leaves: Fields) {
      const bytes = flat(leaves, 'leaves');
      return inKind(leaves, FIELD_BYTES, (out) => engine.merkleRoot(out, bytes), fieldToBigint);
    },
    merkleRootInto: into((out, leaves) => engine.merkleRoot(out, leaves), 'leaves'),
  };
  if (mode === 'async') promising(operations, Object.keys(operations) as (keyof typeof operations)[]);
  const constructors = spongeConstructors(() => engine, mode);
  return { ...operations, ...constructors } as unknown as SpongeOperations<M>;
}

/** How many messages there are; the core checks that nothing is left over. */
function messageCount(fields: Uint8Array, fieldsEach: number): number {
  return fieldsEach === 0 ? 0 : Math.floor(fields.length / FIELD_BYTES / fieldsEach);
}

/**
 * `run`, with the field that an error counts in found in its message: the index becomes that of the
 * message, the offset one in it.
 */
function located<T>(
  run: () => Maybe<T>,
  place: (index: number) => [message: number, field: number],
): Maybe<T> {
  return attempt(run, (error) => {
    if (!(error instanceof SpiculeError) || error.index === undefined) throw error;
    const [message, field] = place(Number(error.index));
    throw new SpiculeError(error.code, { index: message, offset: FIELD_BYTES * field }, error.note);
  });
}

/** The indices of the messages of each length. */
function groupedByLength(messages: readonly Uint8Array[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  messages.forEach(({ length }, i) => {
    const group = groups.get(length);
    if (group === undefined) groups.set(length, [i]);
    else group.push(i);
  });
  return groups;
}

/** Hashes messages of any lengths, those of one length together. */
function hashMessages(
  engine: SpongeEngine,
  messages: readonly Fields[],
): Maybe<(Bytes | bigint)[]> {
  if (!Array.isArray(messages)) throw wrongType('fields', 'a Uint8Array or an array of messages', messages);
  const flats = messages.map((message: Fields, i) => {
    const flatten = () => flat(message, `messages[${i}]`);
    const bytes = located(flatten, (field) => [i, field]) as Uint8Array;
    if (bytes.length % FIELD_BYTES === 0) return bytes;
    throw new SpiculeError('WRONG_LENGTH', { index: i, offset: bytes.length }, FIELD_LENGTH);
  });
  const groups = [...groupedByLength(flats).values()];
  const results = new Array<Bytes | bigint>(messages.length);
  const hashGroup = (members: readonly number[]): Maybe<void> => {
    const size = flats[members[0]!]!.length;
    const together = new Uint8Array(size * members.length);
    members.forEach((member, i) => together.set(flats[member]!, size * i));
    const each = size / FIELD_BYTES;
    const digests = filled(FIELD_BYTES * members.length, (out) =>
      located(
        () => engine.hashMany(out, together, each, members.length),
        (index) => [members[Math.floor(index / each)]!, index % each],
      ),
    );
    return then(digests, (bytes) => {
      members.forEach((member, i) => {
        const digest = bytes.slice(FIELD_BYTES * i, FIELD_BYTES * (i + 1));
        results[member] = isBytes(messages[member]) ? digest : fieldToBigint(digest);
      });
    });
  };
  return then(
    inOrder(groups.length, (i) => hashGroup(groups[i]!)),
    () => results,
  );
}
