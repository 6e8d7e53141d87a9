import { type Bytes, bytesArgument, u32Argument } from './bytes.js';
import { SpiculeError } from './error.js';
import { type Maybe, attempt, then } from './flow.js';

/** One way to reach the dispatcher, `spc_call`. */
export interface Transport {
  /**
   * Runs operation `op`, writes the response to the start of `out` and gives its length. Errors
   * count from the start of the request. The request has been read when this returns; `out` may
   * overlap it.
   */
  call(op: number, request: Uint8Array, out: Uint8Array): Maybe<number>;
  /** The same with the response in new memory, where that is better than asking for its length. */
  answer?(op: number, request: Uint8Array): Maybe<Bytes>;
}

/** Runs an operation whose response may have any length. */
export function callForBytes(
  transport: Transport,
  op: number,
  request: Uint8Array,
  room = 256,
): Maybe<Bytes> {
  if (transport.answer !== undefined) return transport.answer(op, request);
  const out = new Uint8Array(room);
  return attempt(
    () => then(transport.call(op, request, out), (length) => out.slice(0, length)),
    (error) => {
      const more = error instanceof SpiculeError && error.code === 'BUFFER_TOO_SMALL';
      if (!more || Number(error.limit) <= room) throw error;
      return callForBytes(transport, op, request, Number(error.limit));
    },
  );
}

/** Checks the arguments of `call`. */
export function callArguments(op: unknown, request: unknown): void {
  u32Argument(op, 'op');
  bytesArgument(request, 'request');
}
