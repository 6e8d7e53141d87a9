import type { BasicType } from './basic.js';
import { ITSELF } from './engine.js';
import { View } from './view.js';

/** A view of a single basic value. */
export class BasicView<Value, Input> extends View<Value> {
  get(): Value {
    return this.toValue();
  }

  set(value: Input): void {
    const { $engine: engine } = this;
    const type = this.$type as BasicType<Value, Input>;
    const at = engine.buffer(type.fixedSize);
    type.$write(value, engine, at);
    engine.write(this.$handle, ITSELF, at, type.fixedSize);
    this.$touch();
  }
}
