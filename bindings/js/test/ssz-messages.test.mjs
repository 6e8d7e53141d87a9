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
});

test('what is no type is a TypeError that names the argument', () => {
  const not = (run, message) => assert.throws(run, (error) => error instanceof TypeError && error.message === message);
  not(() => ssz.container({ a: 5 }), 'fields.a must be an SSZ type, not number');
  not(() => ssz.list(undefined, 1), 'element must be an SSZ type, not undefined');
  not(() => ssz.union([null, () => ssz.uint8]), 'options[1] must be an SSZ type, not function');
  not(() => Point.toJSON({ x: 1n, y: 2 }, { case: 5 }), 'case must be a string, not number');
});

test('what would change the length of a vector says that it is fixed, in a whole and by itself', () => {
  const All = ssz.container({
    numbers: ssz.vector(ssz.uint16, 3), points: ssz.vector(Point, 2), roots: ssz.vector(ssz.list(ssz.uint8, 4), 2),
    bits: ssz.bitvector(9), long: ssz.bitvector(4096),
  });
  const Flat = ssz.vector(ssz.container({ numbers: ssz.vector(ssz.uint16, 3), bits: ssz.bitvector(9) }), 2);
  const all = All.defaultView();
  const flat = Flat.defaultView();
  const views = [
    [all.numbers, 1], [all.points, { x: 1n, y: 2 }], [all.roots, [1]], [all.bits, true], [all.long, true],
    [flat, { numbers: [1, 2, 3], bits: new ssz.BitArray(new Uint8Array(2), 9) }],
    [flat.get(0).numbers, 1], [flat.get(1).bits, true],
    [ssz.vector(ssz.uint16, 3).defaultView(), 1], [ssz.bitvector(9).defaultView(), true], [ssz.byteVector(4).defaultView(), 1],
  ];
  for (const [view, value] of views) {
    const { length } = view;
    const root = view.hashTreeRoot();
    const fixed = [() => view.push(value), () => view.truncate(0), () => view.truncate(length)];
    if (view.pop !== undefined) fixed.push(() => view.pop());
    if (view.append !== undefined) fixed.push(() => view.append([value]));
    for (const run of fixed) {
      refuses(run, { code: 'INVALID_ARGUMENT' }, /^[A-Z]\w+\[.*\d\] has a fixed length: /);
    }
    assert.deepEqual([view.length, view.hashTreeRoot()], [length, root]);
  }
  all.numbers.dispose();
  const { numbers } = all;
  all.dispose();
  refuses(() => numbers.get(0), { code: 'INVALID_STATE' }, /was disposed/);
});

test('a wrong number of elements says how many there are', () => {
  const numbers = ssz.vector(ssz.uint16, 3);
  refuses(() => numbers.serialize([1]), { code: 'WRONG_LENGTH', limit: 3 }, /^1 elements: /);
  refuses(() => ssz.bitvector(9).serialize([true]), { code: 'WRONG_LENGTH', limit: 9 }, /^1 bits: /);
  refuses(() => ssz.byteVector(4).serialize(new Uint8Array(3)), { code: 'WRONG_LENGTH', limit: 4 }, /^3 elements: /);
  refuses(() => ssz.list(numbers, 1).serialize([[1, 2, 3], [1, 2, 3]]), { code: 'OVER_LIMIT', limit: 1 }, /^2 elements: /);
  refuses(() => ssz.bitlist(1).serialize([true, true]), { code: 'OVER_LIMIT', limit: 1 }, /^2 bits: /);
});

test('what is past the end says where, and where the end is, wherever it is asked for', () => {
  const Small = ssz.container({ numbers: ssz.vector(ssz.uint16, 3), bits: ssz.bitvector(3) });
  const small = ssz.vector(Small, 2).defaultView();
  const list = ssz.list(ssz.uint16, 9).toView([1, 2, 3]);
  const points = ssz.list(Point, 9).toView([{ x: 1n, y: 2 }, { x: 1n, y: 2 }, { x: 1n, y: 2 }]);
  const bits = ssz.bitlist(9).toView([true, false, true]);
  for (const view of [list, points, bits, small.get(1).numbers, small.get(1).bits]) {
    const value = view.get(0);
    for (const index of [3, 4, 9, 2 ** 40]) {
      refuses(() => view.get(index), { code: 'OUT_OF_RANGE', index, limit: 3 });
      refuses(() => view.set(index, value), { code: 'OUT_OF_RANGE', index, limit: 3 });
    }
  }
  for (const view of [small, list, points, bits]) view.dispose();
  refuses(() => list.get(9), { code: 'INVALID_STATE' });
  refuses(() => list.set(9, 1), { code: 'INVALID_STATE' });
});

test('what is JSON but no definition is told from what is no JSON', () => {
  for (const definition of [5, {}, { kind: 'Nope' }, { kind: 'Container' }]) {
    refuses(() => ssz.fromSchema({ A: definition }), { code: 'MALFORMED', path: 'A' }, /^this is no definition of a type: /);
  }
  refuses(() => ssz.fromSchema('{"A": '), { code: 'MALFORMED' }, /^the input is not well formed/);
});

test('a column that is none says why', () => {
  const Element = ssz.container({ key: ssz.byteVector(4), point: Point, number: ssz.uint64 }, { name: 'Element' });
  const view = ssz.list(Element, 9).toView([{ key: new Uint8Array(4), point: { x: 1n, y: 2 }, number: 3n }]);
  assert.deepEqual(view.column('number'), BigUint64Array.of(3n));
  const not = (list, path, text) => refuses(() => list.column(path), { code: 'INVALID_ARGUMENT', path }, text);
  not(view, 'key', /^ByteVector\[4\] is neither integers nor booleans: /);
  not(view, 'point', /^Point is neither integers nor booleans: /);
  not(view, 'nmber', /^Element has no such field: /);
  not(ssz.list(Shape, 2).defaultView(), 'tag', /^Shape is not a small container of fixed size: /);
  view.dispose();
});

test('a proof past the end of a value has the path, also among others', () => {
  const Box = ssz.container({ points: ssz.list(Point, 1024), list: ssz.list(ssz.uint64, 64) });
  const box = Box.toView({ points: [{ x: 1n, y: 2 }], list: [1n] });
  const gindex = Box.gindex('points[100].x');
  const expected = { code: 'NO_SUCH_NODE', path: 'points[100].x' };
  const text = new RegExp(`^generalized index ${gindex}: .*points\\[100\\]\\.x`);
  refuses(() => box.proof('points[100].x'), expected, text);
  refuses(() => box.proof(['points', 100, 'x']), expected, text);
  for (const type of ['multi', 'compactMulti', 'treeOffset']) {
    refuses(() => box.proof([['list', 0], ['points', 100, 'x'], ['points', 101]], type), expected, text);
  }
  refuses(() => box.proof(gindex), { code: 'NO_SUCH_NODE', path: undefined }, new RegExp(`^generalized index ${gindex}: `));
  box.dispose();
});

test('an array of strings is one path, and paths beside paths are arrays', () => {
  const Box = ssz.container({ point: Point, other: Point });
  const box = Box.defaultView();
  assert.equal(box.proof(['point', 'x']).gindex, Box.gindex('point.x'));
  assert.deepEqual(box.proof([['point'], ['other', 'x']]).gindices, [Box.gindex('point'), Box.gindex('other.x')]);
  assert.throws(() => box.proof([['point'], 'other']), /^TypeError: paths\[1\] must be an array of steps/);
  box.dispose();
});

test('bytes are SSZ bytes, and elements only where each is one', () => {
  const List = ssz.list(ssz.uint16, 9);
  const bytes = Uint8Array.of(1, 2);
  assert.deepEqual(List.hashTreeRoot(bytes), List.hashTreeRoot([0x0201]));
  assert.deepEqual(List.hashTreeRoot(Uint16Array.of(0x0201)), List.hashTreeRoot([0x0201]));
  const view = List.toView([1, 2, 3]);
  const refused = [
    () => List.serialize(bytes), () => List.toView(bytes), () => List.size(bytes), () => List.equals(bytes, [1, 2]),
    () => view.append(bytes), () => view.setAll(bytes),
  ];
  for (const run of refused) assert.throws(run, /^TypeError: values? must be an array or a Uint16Array, not Uint8Array$/);
  assert.throws(() => ssz.list(ssz.uint256, 9).serialize(bytes), /^TypeError: value must be an array, not Uint8Array$/);
  assert.deepEqual([...view], [1, 2, 3]);
  const Octets = ssz.list(ssz.uint8, 9);
  assert.deepEqual(Octets.serialize(bytes), bytes);
  assert.deepEqual(Octets.hashTreeRoot(bytes), Octets.hashTreeRoot([1, 2]));
  view.dispose();
});

test('JSON.stringify writes views as their JSON form', () => {
  const value = { points: [{ x: 2n ** 60n, y: 2 }], tag: Uint8Array.of(1, 2) };
  const view = Shape.toView(value);
  const text = '{"points":[{"x":"1152921504606846976","y":"2"}],"tag":"0x0102"}';
  assert.equal(JSON.stringify(view), text);
  assert.equal(JSON.stringify({ at: [view.points.get(0), view] }), `{"at":[{"x":"1152921504606846976","y":"2"},${text}]}`);
  assert.equal(Shape.toJSONString(value), text);
  assert.deepEqual(Shape.fromJSONString(text), value);
  assert.deepEqual(Shape.fromJSON(view.toJSON()), value);
  view.dispose();
  const Old = new chainsafe.ContainerType({ someField: new chainsafe.UintNumberType(8) }, { jsonCase: 'snake' });
  assert.equal(JSON.stringify(Old.toViewDU({ someField: 5 })), '{"some_field":"5"}');
});

test('setAll replaces as many elements as it is given', () => {
  const view = ssz.list(ssz.uint16, 9).toView([1, 2, 3, 4, 5]);
  view.setAll([9, 9]);
  assert.deepEqual([...view], [9, 9, 3, 4, 5]);
  view.setAll(Uint16Array.of(7, 8), 3);
  assert.deepEqual([...view], [9, 9, 3, 7, 8]);
  refuses(() => view.setAll([1, 2], 4), { code: 'OUT_OF_RANGE', index: 4, limit: 5 });
  view.dispose();
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
