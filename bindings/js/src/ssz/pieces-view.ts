import { SpiculeError } from '../core/error.js';
import { INSPECT } from '../core/inspect.js';
import { type AnyType, indexArgument } from './type.js';
import { View } from './view.js';

/** How many pieces a view remembers besides the last one, at first and at most. */
const FIRST_REMEMBERED = 64;
const MOST_REMEMBERED = 2 ** 14;

const NO_PIECES = /* @__PURE__ */ new Int32Array(4);

/** Small integers: what is remembered is such, so that the fields of the cursor never become floats. */
const SMALL = 2 ** 30;

/** Elements and bits that are printed. */
const SHOWN = 16;

/** What changes how many elements or bits a list has, which views of vectors are typed without. */
export type Growing = 'push' | 'append' | 'pop' | 'truncate';

/** Text that is printed as it is. */
class Text {
  constructor(readonly text: string) {}
  [INSPECT](): string {
    return this.text;
  }
}

/** What is printed: the first of `length` elements, more than arrays can have, and how many are left out. */
export function firstOf(length: number, element: (i: number) => unknown): unknown[] {
  const shown: unknown[] = Array.from({ length: Math.min(length, SHOWN) }, (_, i) => element(i));
  if (length > SHOWN) shown.push(new Text(`... ${length - SHOWN} more`));
  return shown;
}

/**
 * A view of a sequence whose elements lie in pieces of memory. It has a cursor, the piece that was
 * read last, and remembers some others where reading jumps about; all of it is good in one epoch.
 */
export abstract class PiecesView<Value> extends View<Value> {
  declare readonly $type: AnyType & { readonly $isList: boolean };
  /** The piece of the cursor: its first element and their number; it begins at `$address`. */
  $first = 0;
  $count = 0;
  /** First element, number of elements, address and epoch of pieces. */
  $pieces: Int32Array = NO_PIECES;
  /** How many of them there is room for, less 1. */
  $most = 0;
  /** log2 of how many elements a piece has that is not one of the last or first ones. */
  $shift = 0;

  abstract $length(): number;

  /** To be called before the length changes. */
  $checkGrowing(): void {
    if (!this.$type.$isList) throw new SpiculeError('INVALID_ARGUMENT', {}, `${this.$type} has a fixed length`);
  }

  $within(index: number): void {
    const length = this.$length();
    if (indexArgument(index, 'index') < length) return;
    throw new SpiculeError('OUT_OF_RANGE', { index, limit: length });
  }

  /** What to throw for an error about an element: that it is past the end, where it is. */
  $failed(error: unknown, index: number): unknown {
    this.$within(index);
    return error;
  }

  /** Puts the cursor on the piece with an element. */
  $find(index: number): void {
    if (this.$recall(index)) return;
    if (this.$flat) {
      this.$within(index);
      this.$sync();
      this.$first = 0;
      this.$count = this.$length();
      return;
    }
    const { $engine: engine } = this;
    const jumps = this.$epoch === engine.epoch;
    indexArgument(index, 'index');
    try {
      this.$address = engine.run(this.$handle, index);
    } catch (error) {
      throw this.$failed(error, index);
    }
    this.$first = engine.result(0);
    this.$count = engine.result(1);
    this.$epoch = engine.epoch;
    if (jumps) this.$remember(index);
  }

  /** Puts the cursor on a piece that is remembered, if the one with this element is. */
  $recall(index: number): boolean {
    if (typeof index !== 'number' || index >>> 0 !== index) return false;
    const { $pieces: pieces, $engine: { epoch } } = this;
    const at = 4 * ((index >>> this.$shift) & this.$most);
    const first = pieces[at]!;
    const count = pieces[at + 1]!;
    if (index - first >>> 0 >= count || pieces[at + 3] !== epoch) return false;
    this.$first = first;
    this.$count = count;
    this.$address = pieces[at + 2]!;
    this.$epoch = epoch;
    return true;
  }

  $remember(index: number): void {
    const { $first: first, $count: count, $address: address, $epoch: epoch } = this;
    if (first + count > SMALL || address > SMALL || epoch > SMALL) return;
    this.$shift = Math.max(this.$shift, 31 - Math.clz32(count));
    let at = 4 * ((index >>> this.$shift) & this.$most);
    // Where two share a place there is to be more room.
    const taken = this.$most === 0 || (this.$pieces[at + 3] === epoch && this.$pieces[at] !== first);
    if (taken && this.$most + 1 < MOST_REMEMBERED) {
      const room = this.$most === 0 ? FIRST_REMEMBERED : 4 * (this.$most + 1);
      this.$pieces = new Int32Array(4 * room);
      this.$most = room - 1;
      at = 4 * ((index >>> this.$shift) & this.$most);
    }
    const { $pieces: pieces } = this;
    pieces[at] = first;
    pieces[at + 1] = count;
    pieces[at + 2] = address;
    pieces[at + 3] = epoch;
  }
}
