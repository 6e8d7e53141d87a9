// Names in the generated C.
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';

/** The C name of a type: its full name with underscores. */
export function cName(typeName: string): string {
  return typeName.replaceAll('.', '_');
}

/** What generated names of a message consist of besides a field's name. */
const PREFIXES = ['has_', 'set_', 'clear_', 'add_', 'mutable_'];
const SUFFIXES = ['_count', '_at', '_case', '_number', '_slice'];
const RESERVED = ['new', 'decode', 'encode', 'encode_back', 'view', 'writer', 'reverse', 'size'];

/**
 * The names of fields and oneofs within C names: those of the .proto file, with underscores behind
 * where two generated names would be the same.
 */
export function fieldNames(message: DescMessage): Map<DescField | DescOneof, string> {
  const members = [...message.fields, ...message.oneofs];
  const plain = new Set(members.map(({ name }) => name));
  const clashes = (name: string) =>
    RESERVED.includes(name) ||
    RESERVED.some((word) => name.startsWith(`${word}_`) && /^(view|writer|reverse)$/.test(word)) ||
    PREFIXES.some((prefix) => name.startsWith(prefix) && plain.has(name.slice(prefix.length))) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix) && plain.has(name.slice(0, -suffix.length)));
  const names = new Map<DescField | DescOneof, string>();
  const taken = new Set<string>();
  for (const member of members) {
    let { name } = member;
    if (clashes(name)) name += '_';
    while (taken.has(name)) name += '_';
    taken.add(name);
    names.set(member, name);
  }
  return names;
}

/** Words of C and C++ that can't be names of parameters. */
const KEYWORDS = new Set(
  `alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
   const const_cast constexpr continue decltype default delete do double dynamic_cast else enum
   explicit export extern false float for friend goto if inline int long mutable namespace new
   noexcept not not_eq nullptr operator or or_eq private protected public register
   reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
   struct switch template this thread_local throw true try typedef typeid typename union unsigned
   using virtual void volatile wchar_t while xor xor_eq`.split(/\s+/),
);

export function parameterName(name: string): string {
  return KEYWORDS.has(name) || /^(arena|m|w)$/.test(name) ? `${name}_` : name;
}
