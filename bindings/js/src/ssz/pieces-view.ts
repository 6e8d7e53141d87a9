import { SpiculeError } from '../core/error.js';
import { indexArgument } from './type.js';
import { View } from './view.js';

/** How many pieces a view remembers besides the last one. */
const REMEMBERED = 64;

/**
 * A view of a sequence whose elements lie in pieces of memory. It has a cursor, the piece that was
 * read last, and remembers some others where reading jumps about; all of it is good in one epoch.
 */
export abstract class PiecesView<Value> extends View<Value> {
  /** The piece of the cursor: its first element and their number; it begins at `$address`. */
  $first = 0;
  $count = 0;
  #pieces: Float64Array | undefined;
  #piecesEpoch = -1;
  #width = 1;

  abstract $length(): number;

  $within(index: number): void {
    const length = this.$length();
    if (indexArgument(index, 'index') < length) return;
    throw new SpiculeError('OUT_OF_RANGE', { index, limit: length });
  }

  /** Puts the cursor on the piece with an element. */
  $find(index: number): void {
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
    if (jumps && this.#recall(index)) return;
    this.$address = engine.run(this.$handle, index);
    this.$first = engine.result(0);
    this.$count = engine.result(1);
    this.$epoch = engine.epoch;
    if (jumps) this.#remember(index);
  }

  #recall(index: number): boolean {
    const pieces = this.#pieces;
    if (pieces === undefined || this.#piecesEpoch !== this.$epoch) return false;
    const at = 3 * (Math.floor(index / this.#width) % REMEMBERED);
    const first = pieces[at]!;
    if (index < first || index >= first + pieces[at + 1]!) return false;
    this.$first = first;
    this.$count = pieces[at + 1]!;
    this.$address = pieces[at + 2]!;
    return true;
  }

  #remember(index: number): void {
    if (this.#piecesEpoch !== this.$epoch) {
      this.#pieces ??= new Float64Array(3 * REMEMBERED);
      this.#pieces.fill(0);
      this.#piecesEpoch = this.$epoch;
    }
    // Pieces that are not the last ones have one width.
    if (this.$count > this.#width) this.#width = this.$count;
    const at = 3 * (Math.floor(index / this.#width) % REMEMBERED);
    const pieces = this.#pieces!;
    pieces[at] = this.$first;
    pieces[at + 1] = this.$count;
    pieces[at + 2] = this.$address;
  }
}
