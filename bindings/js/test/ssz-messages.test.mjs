// What errors and printed views say: enough to find the mistake.
import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';

import { SpiculeError } from 'spicule';
import * as ssz from 'spicule/ssz';
import * as chainsafe from 'spicule/ssz/chainsafe';

const Point = ssz.container({ x: ssz.uint64, y: ssz.uint8 }, { name: 'Point' });
const Shape = ssz.container({ points: ssz.list(Point, 8), tag: ssz.byteVector(2) }, { name: 'Shape' });

/** The error of `run`, as far as `expected` names its members; `text` is in the message. */
function refuses(run, expected, text) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SpiculeError, String(error));
    for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, `${name}: ${error.message}`);
    if (text !== undefined) assert.match(error.message, text);
    return true;
  });
}

test('a member that is no field is refused, with its place, on every way in', () => {
  const value = { points: [{ x: 1n, y: 2 }, { x: 1n, y: 2, z: 3 }], tag: new Uint8Array(2) };
  const expected = { code: 'UNKNOWN_FIELD', path: 'points[1].z' };
  refuses(() => Shape.serialize(value), expected);
  refuses(() => Shape.toView(value), expected);
  refuses(() => Shape.hashTreeRoot(value), expected);
  const view = Shape.defaultView();
  refuses(() => view.points.push(value.points[1]), { code: 'UNKNOWN_FIELD', path: 'values[0].z' });
  assert.equal(view.points.length, 0);
  view.points.push(value.points[0]);
  refuses(() => view.points.set(0, value.points[1]), { code: 'UNKNOWN_FIELD', path: '[0].z' });
  refuses(() => { view.points = value.points; }, expected);
  view.dispose();
});

test('a field that is missing is missing, whatever else is there', () => {
  refuses(() => Point.serialize({ x: 1n, z: 2 }), { code: 'MISSING_FIELD', path: 'y' });
});

test('the migration layer takes values with more members, as its model does', () => {
  const type = new chainsafe.ContainerType({ x: new chainsafe.UintNumberType(8) });
  assert.equal(type.serialize({ x: 5, z: 1 }).length, 8);
});

test('types that are not allowed are named', () => {
  refuses(() => ssz.vector(ssz.uint64, 0), { code: 'ZERO_LENGTH' }, /Vector\[uint64, 0\]/);
  refuses(() => ssz.bitvector(0), { code: 'ZERO_LENGTH' }, /BitVector\[0\]/);
  refuses(() => ssz.container({}, { name: 'Nothing' }), { code: 'NO_FIELDS' }, /Nothing/);
  refuses(() => ssz.container({ a: 5 }), { code: 'INVALID_ARGUMENT', path: 'a' }, /Number is no SSZ type/);
  refuses(() => ssz.list(undefined, 1), { code: 'INVALID_ARGUMENT', path: 'element' }, /Undefined is no SSZ type/);
});

test('a section that a schema has not is named', () => {
  const schema = { phase0: { A: { kind: 'Container', fields: [['x', 'uint64']] } } };
  refuses(() => ssz.fromSchema(schema, { section: 'phase9' }), { code: 'NOT_FOUND', path: 'phase9' }, /section/);
});

test('lengths that are no multiple say of what', () => {
  refuses(() => ssz.list(ssz.uint64, 4).validate(new Uint8Array(9)), { code: 'WRONG_LENGTH', limit: 8 });
  const Wide = ssz.container({ list: ssz.list(Point, 4) });
  refuses(() => Wide.view(Uint8Array.from([4, 0, 0, 0, 1])), { code: 'WRONG_LENGTH', limit: 9, path: 'list' });
  refuses(() => ssz.list(ssz.uint64, 1).validate(new Uint8Array(16)), { code: 'OVER_LIMIT', limit: 1 });
  refuses(() => ssz.bitlist(9).validate(Uint8Array.from([0, 0xff])), { code: 'OVER_LIMIT', limit: 9 });
});

test('paths that lead nowhere are in the error', () => {
  const view = Shape.toView({ points: [{ x: 1n, y: 2 }], tag: new Uint8Array(2) });
  refuses(() => Shape.gindex(['points', 8]), { code: 'OUT_OF_RANGE', path: 'points[8]' });
  refuses(() => Shape.gindex('nothing'), { code: 'NOT_FOUND', path: 'nothing' });
  refuses(() => view.proof(['points', 8, 'x']), { code: 'OUT_OF_RANGE', path: 'points[8].x' });
  refuses(() => Shape.field(view.serialize(), ['points', 5]), { code: 'OUT_OF_RANGE', path: 'points[5]' });
  refuses(() => view.proof(1n << 60n), { code: 'NO_SUCH_NODE' }, /1152921504606846976/);
  view.dispose();
});

test('what was disposed says so', () => {
  const view = Shape.defaultView();
  const { points } = view;
  view.dispose();
  refuses(() => view.serialize(), { code: 'INVALID_STATE' }, /view.*disposed/);
  refuses(() => points.length, { code: 'INVALID_STATE' }, /view.*disposed/);
  const instance = ssz.createInstanceSync();
  const other = instance.list(instance.uint64, 8).toView([1n]);
  instance.dispose();
  refuses(() => other.hashTreeRoot(), { code: 'INVALID_STATE' }, /instance was disposed/);
});

test('wrong arguments are named as people write them', () => {
  assert.throws(() => Point.serialize(null), { name: 'TypeError', message: 'value must be an object, not null' });
  assert.throws(() => Point.deserialize(null), { name: 'TypeError', message: 'bytes must be a Uint8Array, not null' });
});

test('views are printed as their values, shortened', () => {
  const view = Shape.toView({ points: [{ x: 1n, y: 2 }], tag: Uint8Array.from([3, 4]) });
  assert.equal(
    inspect(view, { breakLength: Infinity }),
    "Shape { points: List[Point, 8] [ Point { x: 1n, y: 2 } ], tag: Uint8Array(2) [ 3, 4 ] }",
  );
  assert.equal(inspect(view, { depth: 0, breakLength: Infinity }), 'Shape { points: [List[Point, 8]], tag: [Uint8Array] }');
  const long = ssz.list(ssz.uint16, 2 ** 40).toView(new Uint16Array(100_000));
  const text = inspect(long);
  assert.match(text, /^List\[uint16, 1099511627776\] \[/);
  assert.match(text, /\.\.\. 99984 more/);
  assert.ok(text.length < 400, text);
  const bits = ssz.bitlist(64).toView([true, false]);
  assert.equal(inspect(bits), 'BitList[64] [ 1, 0 ]');
  view.dispose();
  assert.match(inspect(view), /^\[Shape: .*disposed/);
  assert.equal(inspect(Shape), 'Shape');
  assert.equal(inspect(Shape.fields.points), 'List[Point, 8]');
});

test('bytes whose buffer is gone, and schemas that are no JSON, are named', () => {
  const bytes = new Uint8Array(9);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  for (const run of [() => Point.deserialize(bytes), () => Point.validate(bytes), () => Point.view(bytes)]) {
    assert.throws(run, { name: 'TypeError', message: /^bytes must be .* detached$/ });
  }
  refuses(() => ssz.fromSchema({ a: 5n }), { code: 'MALFORMED' }, /BigInt/);
});
