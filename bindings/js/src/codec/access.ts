import type { Arena } from './arena.js';
import { ListView, MapView } from './list.js';
import type { Message } from './message.js';
import { assign, assignOneof, isSet, memberOf } from './record.js';
import { readUint32 } from './scalar.js';
import type { FieldInfo, MessageInfo, OneofInfo } from './type.js';

/** What a property of a message gives: undefined where a field with presence is not set. */
export function accessed(arena: Arena, ref: number, field: FieldInfo): unknown {
  return field.map ? new MapView(arena, ref, field) : accessedPlain(arena, ref, field);
}

/** The same of a field that is no map. */
export function accessedPlain(arena: Arena, ref: number, field: FieldInfo): unknown {
  if (field.repeated) return new ListView(arena, ref, field);
  if (field.explicit && !isSet(arena, ref, field)) return undefined;
  return memberValue(arena, ref, field);
}

/** The same of a singular field that is set or has no presence. */
export function memberValue(arena: Arena, ref: number, field: FieldInfo): unknown {
  const { scalar, at } = field;
  return scalar !== undefined ? scalar.read(arena, ref + at) : field.message.make(arena, readUint32(arena, ref + at));
}

function accessor(field: FieldInfo): PropertyDescriptor & ThisType<Message> {
  const { at, scalar } = field;
  const set = function (this: Message, value: unknown) {
    assign(this.$a, this.$r, field, value, field.name);
  };
  if (scalar !== undefined && !field.repeated && !field.explicit) {
    const { read } = scalar;
    return { get() { return read(this.$a, this.$r + at); }, set };
  }
  return { get() { return accessed(this.$a, this.$r, field); }, set };
}

function oneofAccessor(oneof: OneofInfo): PropertyDescriptor & ThisType<Message> {
  return {
    get() {
      const member = memberOf(this.$a, this.$r, oneof);
      return member && { case: member.name, value: memberValue(this.$a, this.$r, member) };
    },
    set(value: unknown) {
      assignOneof(this.$a, this.$r, oneof, value, oneof.name);
    },
  };
}

/** Gives the prototype of a class a property for each field and oneof of its type. */
export function defineAccessors(prototype: object, type: MessageInfo): void {
  const define = (name: string, descriptor: PropertyDescriptor) =>
    Object.defineProperty(prototype, name, { ...descriptor, enumerable: true, configurable: true });
  for (const field of type.fields) define(field.name, accessor(field));
  for (const oneof of type.oneofs) define(oneof.name, oneofAccessor(oneof));
}
