/** How a back end answers: at once, or by a promise. */
export type Mode = 'sync' | 'async';

/** What a call of that mode returns. */
export type Result<M extends Mode, T> = M extends 'sync' ? T : Promise<T>;

/**
 * Inside the package one implementation serves both modes: an engine gives values or promises, and
 * these functions go on from either. Users only ever see one of them, through `Result`.
 */
export type Maybe<T> = T | Promise<T>;

export function then<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What `run` gives, or what `recover` makes of its error. */
export function attempt<T>(
  run: () => Maybe<T>,
  recover: (error: unknown) => Maybe<T>,
): Maybe<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}

/** Runs `step` for 0 to count - 1, each after the one before has finished. */
export function inOrder(count: number, step: (index: number) => Maybe<unknown>): Maybe<void> {
  for (let index = 0; index < count; index++) {
    const pending = step(index);
    if (pending instanceof Promise) return pending.then(() => rest(index + 1, count, step));
  }
}

async function rest(from: number, count: number, step: (index: number) => Maybe<unknown>) {
  for (let index = from; index < count; index++) await step(index);
}

/** For `then`: drops a value. */
export function nothing(): void {}

/** Makes methods of `target` answer by promises, also for errors in their arguments. */
export function promising<T extends object>(target: T, names: readonly (keyof T)[]): void {
  for (const name of names) {
    const run = target[name] as (...args: unknown[]) => unknown;
    const value = async function (this: unknown, ...args: unknown[]) {
      return run.apply(this, args);
    };
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
}
