// Writes plain objects by generated writers.

const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** What was written in which way, so that tests can tell that each was. */
export const ways = { opened: 0, once: 0, listed: 0, added: 0, entries: 0, values: 0 };

function writeMessage(open, type, value) {
  ways.opened++;
  const inner = open();
  writeObject(inner, type, value);
  inner.close();
}

/** The values of a message that can be written at once; undefined where it has anything else. */
function numbersOf(type, object, parameters) {
  if (type.fields.some(({ repeated, scalar }) => repeated || scalar === undefined)) return undefined;
  const values = new Map(Object.entries(object));
  for (const { name } of type.oneofs) {
    const member = values.get(name);
    values.delete(name);
    if (member !== undefined) values.set(member.case, member.value);
  }
  if ([...values.values()].some((value) => typeof value === 'string' || value instanceof Uint8Array)) return undefined;
  const numbers = type.fields.filter(({ type: kind }) => kind !== 9 && kind !== 12);
  return numbers.length === parameters ? numbers.map(({ name }) => values.get(name)) : undefined;
}

function writeField(writer, field, value) {
  const { name } = field;
  const open = `open${capital(name)}`;
  const add = `add${capital(name)}`;
  if (field.map) {
    if (typeof writer[open] === 'function') {
      for (const [key, element] of value) {
        ways.values++;
        writeMessage(() => writer[open](key), field.message.fields[1].message, element);
      }
    } else if (value.size % 2 === 0) {
      writer[name](value);
    } else {
      ways.entries++;
      for (const [key, element] of value) writer[add](key, element);
    }
  } else if (field.scalar !== undefined) {
    if (field.repeated && value.length % 2 === 0 && typeof writer[add] === 'function') {
      for (const element of value) writer[add](element);
      ways.added++;
    } else {
      writer[name](value);
      if (field.repeated) ways.listed++;
    }
  } else {
    const once = field.repeated ? add : name;
    for (const element of field.repeated ? value : [value]) {
      const numbers = typeof writer[once] === 'function'
        ? numbersOf(field.message, element, writer[once].length) : undefined;
      if (numbers === undefined) writeMessage(() => writer[open](), field.message, element);
      else {
        writer[once](...numbers);
        ways.once++;
      }
    }
  }
}

/** Writes a plain object of a type, which has no extensions and no unknown fields. */
export function writeObject(writer, type, object) {
  const members = new Map(type.oneofs.flatMap(({ name }) => {
    const { [name]: member } = object;
    return member === undefined ? [] : [[member.case, member.value]];
  }));
  for (const field of [...type.fields].sort((a, b) => a.number - b.number)) {
    const value = members.get(field.name) ?? object[field.name];
    if (value !== undefined) writeField(writer, field, value);
  }
}
