// Where fields lie in the records of messages: the rules of spicule/codec.h. Classes that use these
// offsets compare them with those of the core before they are used.
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

/** From here on the case of a oneof is an index of a field, not its number. */
const INDEX_CASES = 0xf000;

const WIDE = new Set<ScalarType>([
  ScalarType.DOUBLE, ScalarType.INT64, ScalarType.UINT64, ScalarType.FIXED64, ScalarType.SFIXED64,
  ScalarType.SINT64, ScalarType.STRING, ScalarType.BYTES,
]);

/** The place of a field: offsets in the record, in bytes. */
export interface Place {
  readonly at: number;
  /** Which hasbit; the aligned 32-bit word that it is in, and the bit in that. */
  readonly bit: number;
  readonly bitAt: number;
  readonly mask: number;
  /** Of the case of the oneof, and its value when the field is set; 0 outside oneofs. */
  readonly caseAt: number;
  readonly caseValue: number;
}

export interface Layout {
  readonly size: number;
  readonly extensionsAt: number;
  readonly places: ReadonlyMap<DescField, Place>;
}

/** Bytes of an element of the field, or of its slot. */
export function elementSize(field: DescField): number {
  return field.fieldKind !== 'map' && isWide(field.scalar) ? 8 : 4;
}

/** Whether a value takes 8 bytes. */
export function isWide(scalar: ScalarType | undefined): boolean {
  return scalar !== undefined && WIDE.has(scalar);
}

export function isRepeated(field: DescField): boolean {
  return field.fieldKind === 'list' || field.fieldKind === 'map';
}

export function hasPresence(field: DescField): boolean {
  return !isRepeated(field) && field.presence !== FeatureSet_FieldPresence.IMPLICIT;
}

function slotSize(field: DescField): number {
  return isRepeated(field) ? 8 : elementSize(field);
}

const align = (at: number, to: number): number => Math.ceil(at / to) * to;

/** The fields of a message type in the order of their numbers. */
export const fieldsByNumber = (message: DescMessage): DescField[] =>
  [...message.fields].sort((a, b) => a.number - b.number);

/** The layout of a message type's records. */
export function layoutOf(message: DescMessage): Layout {
  const fields = fieldsByNumber(message);
  // What has a bit: a field outside oneofs, or a oneof, which stands where its lowest member does.
  const holders: (DescField | DescOneof)[] = [];
  for (const field of fields) {
    const holder = field.oneof ?? field;
    if (!holders.includes(holder)) holders.push(holder);
  }
  const members = (holder: DescField | DescOneof) =>
    holder.kind === 'oneof' ? fields.filter((field) => field.oneof === holder) : [holder];
  let end = 2 * Math.ceil((holders.length + 1) / 16);
  const cases = new Map<DescField | DescOneof, number>();
  for (const holder of holders) {
    if (holder.kind !== 'oneof') continue;
    cases.set(holder, end);
    end += 2;
  }
  end = align(end, 4);
  const extensionsAt = message.proto.extensionRange.length > 0 ? end : 0;
  if (extensionsAt !== 0) end += 4;
  const slots = new Map<DescField | DescOneof, number>();
  for (const size of [4, 8]) {
    end = align(end, size);
    for (const holder of holders) {
      if (Math.max(...members(holder).map(slotSize)) !== size) continue;
      slots.set(holder, end);
      end += size;
    }
  }
  const places = new Map<DescField, Place>();
  holders.forEach((holder, i) => {
    const bit = i + 1;
    for (const field of members(holder)) {
      const inOneof = cases.has(holder);
      const { number } = field;
      const caseValue = number < INDEX_CASES ? number : INDEX_CASES + fields.indexOf(field);
      places.set(field, {
        at: slots.get(holder)!,
        bit,
        bitAt: (bit >>> 5) * 4,
        mask: 1 << (bit & 31),
        caseAt: cases.get(holder) ?? 0,
        caseValue: inOneof ? caseValue : 0,
      });
    }
  });
  return { size: align(end, 8), extensionsAt, places };
}

/** A number that tells layouts apart; generated.ts of the runtime computes it from the core's. */
export function layoutHash(message: DescMessage, { size, extensionsAt, places }: Layout): number {
  let hash = 0x811c9dc5;
  const add = (value: number) => (hash = Math.imul(hash ^ value, 0x01000193) >>> 0);
  add(size);
  add(extensionsAt);
  for (const field of fieldsByNumber(message)) {
    const { at, bitAt, mask, caseAt, caseValue } = places.get(field)!;
    for (const value of [field.number, at, bitAt, mask, caseAt, caseValue]) add(value);
  }
  return hash;
}
