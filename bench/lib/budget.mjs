// Shares the time of a whole run among its suites and rows, so that the quick form ends in time on
// a slow machine too: what short rows leave over, the long ones that follow may use.
import { performance } from 'node:perf_hooks';

export class Budget {
  #now;
  #end;
  #sharesLeft;
  #suiteEnd = Infinity;

  /** `total` milliseconds (Infinity: no bound) for suites of these shares, in their order. */
  constructor(total, shares, now = () => performance.now()) {
    this.#now = now;
    this.#end = now() + total;
    this.#sharesLeft = [...shares];
  }

  /** Starts the next suite. */
  nextSuite() {
    const now = this.#now();
    const sum = this.#sharesLeft.reduce((a, b) => a + b, 0);
    this.#suiteEnd = now + ((this.#end - now) * this.#sharesLeft.shift()) / sum;
  }

  /** What one row may take, in milliseconds, when the suite has so many left. */
  row(rowsLeft) {
    return Math.max(0, (this.#suiteEnd - this.#now()) / rowsLeft);
  }
}
