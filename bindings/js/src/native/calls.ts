import type { Bytes } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';

/** A result: its length, and the memory that it is at the start of. */
export interface Result {
  readonly length: number;
  readonly bytes: Bytes;
}

/** A call whose response has not come. */
export interface Pending {
  readonly id: number;
  /** Where the result goes; undefined for new memory. */
  readonly out: Bytes | undefined;
  readonly deadline: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Rejected for its deadline; the response is to be dropped. */
  late: boolean;
  next: Pending | undefined;
}

/** What keeps the process alive. */
interface Hold {
  ref(): unknown;
  unref(): unknown;
}

/**
 * The calls of a connection whose responses have not come, in the order of those. They keep the
 * process alive, and no longer, and are rejected when their time has passed.
 */
export class PendingCalls {
  readonly #hold: Hold;
  /** Calls that are neither answered nor late. */
  #live = 0;
  #first: Pending | undefined;
  #last: Pending | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(hold: Hold) {
    this.#hold = hold;
    hold.unref();
  }

  /** The oldest, which the next response belongs to. */
  get first(): Pending | undefined {
    return this.#first;
  }

  /** A new call of at most `timeout` milliseconds, at the end. */
  add(id: number, out: Uint8Array | undefined, timeout: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + timeout;
      const memory = out as Bytes | undefined;
      this.#append({ id, out: memory, deadline, resolve, reject, late: false, next: undefined });
    });
  }

  #append(pending: Pending): void {
    if (this.#last === undefined) this.#first = pending;
    else this.#last.next = pending;
    this.#last = pending;
    if (this.#live++ === 0) this.#hold.ref();
    if (this.#timer === undefined) this.#watch();
  }

  /** Takes the oldest out and gives it its outcome. */
  settle(outcome: Result | SpiculeError): void {
    const pending = this.#first;
    if (pending === undefined) return;
    this.#first = pending.next;
    if (this.#first === undefined) this.#last = undefined;
    this.#decide(pending, outcome);
  }

  /** Rejects all that are left. */
  rejectAll(reason: SpiculeError): void {
    this.forgetTimer();
    while (this.#first !== undefined) this.settle(reason);
  }

  #decide(pending: Pending, outcome: Result | SpiculeError): void {
    if (pending.late) return;
    if (outcome instanceof SpiculeError) pending.reject(outcome);
    else pending.resolve(outcome);
    if (--this.#live === 0) this.#hold.unref();
  }

  /** To be called before calls with a shorter timeout than those so far. */
  forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * All calls have the same timeout, so the oldest that is not late yet is the next to be, and a
   * timer that was set for one before it is early enough.
   */
  #watch(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let pending = this.#first; pending !== undefined; pending = pending.next) {
      if (pending.late) continue;
      if (pending.deadline > now) {
        if (pending.deadline === Infinity) return;
        const wait = Math.min(pending.deadline - now, 2 ** 31 - 1);
        this.#timer = setTimeout(() => this.#watch(), wait).unref();
        return;
      }
      this.#decide(pending, new SpiculeError('DEADLINE'));
      pending.late = true;
    }
  }
}
