import assert from 'node:assert/strict';

import { SpiculeError } from '../../../../dist/index.js';

/** What a caller can read from an error. */
export function details(error) {
  const { code, offset, index, path, limit } = error;
  return Object.fromEntries(
    Object.entries({ code, offset, index, path, limit }).filter(([, value]) => value !== undefined),
  );
}

/** `run` throws the SpiculeError with exactly these details. */
export function throwsSpicule(run, expected) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SpiculeError, `${error}`);
    assert.equal(error.name, 'SpiculeError');
    assert.deepEqual(details(error), expected);
    return true;
  });
}

/** A TypeError whose message begins with the argument's name. */
export function throwsType(run, name) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof TypeError, `${error}`);
    assert.ok(error.message.startsWith(`${name} must be `), error.message);
    return true;
  });
}
