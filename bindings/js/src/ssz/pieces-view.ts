import { SpiculeError } from '../core/error.js';
import { indexArgument } from './type.js';
import { View } from './view.js';

/** How many pieces a view remembers besides the last one. */
const REMEMBERED = 128;

/** Small integers: what is remembered is such, so that the fields of the cursor never become floats. */
const SMALL = 2 ** 30;

/**
 * A view of a sequence whose elements lie in pieces of memory. It has a cursor, the piece that was
 * read last, and remembers some others where reading jumps about; all of it is good in one epoch.
 */
export abstract class PiecesView<Value> extends View<Value> {
  /** The piece of the cursor: its first element and their number; it begins at `$address`. */
  $first = 0;
  $count = 0;
  /** First element, number of elements, address and epoch of pieces. */
  $pieces: Int32Array | undefined = undefined;
  /** log2 of how many elements a piece has that is not one of the last or first ones. */
  $shift = 0;

  abstract $length(): number;

  $within(index: number): void {
    const length = this.$length();
    if (indexArgument(index, 'index') < length) return;
    throw new SpiculeError('OUT_OF_RANGE', { index, limit: length });
  }

  /** Puts the cursor on the piece with an element. */
  $find(index: number): void {
    if (typeof index === 'number' && index >>> 0 === index && this.$recall(index)) return;
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
    this.$address = engine.run(this.$handle, index);
    this.$first = engine.result(0);
    this.$count = engine.result(1);
    this.$epoch = engine.epoch;
    if (jumps) this.$remember(index);
  }

  $recall(index: number): boolean {
    const { $pieces: pieces, $engine: { epoch } } = this;
    if (pieces === undefined) return false;
    const at = 4 * ((index >>> this.$shift) & (REMEMBERED - 1));
    const first = pieces[at]!;
    const count = pieces[at + 1]!;
    if (index < first || index - first >= count || pieces[at + 3] !== epoch) return false;
    this.$first = first;
    this.$count = count;
    this.$address = pieces[at + 2]!;
    this.$epoch = epoch;
    return true;
  }

  $remember(index: number): void {
    const { $first: first, $count: count, $address: address, $epoch: epoch } = this;
    if (first + count > SMALL || address > SMALL || epoch > SMALL) return;
    const pieces = (this.$pieces ??= new Int32Array(4 * REMEMBERED));
    this.$shift = Math.max(this.$shift, 31 - Math.clz32(count));
    const at = 4 * ((index >>> this.$shift) & (REMEMBERED - 1));
    pieces[at] = first;
    pieces[at + 1] = count;
    pieces[at + 2] = address;
    pieces[at + 3] = epoch;
  }
}
