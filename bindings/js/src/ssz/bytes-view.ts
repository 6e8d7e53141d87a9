import { type Bytes, plainArgument } from '../core/bytes.js';
import { ITSELF } from './engine.js';
import { BasicListView } from './sequence-view.js';

/** A view of a vector or list of bytes, for values that are views of their own. */
export class BytesView extends BasicListView<number, number, Bytes> {
  /** All bytes, as a copy. */
  getBytes(): Bytes {
    return this.getAll() as Bytes;
  }

  /** Replaces all bytes. */
  setBytes(bytes: Uint8Array): void {
    const plain = plainArgument(bytes, 'bytes');
    this.$engine.write(this.$handle, ITSELF, this.$engine.put(plain), plain.length);
    this.$touch();
  }
}
