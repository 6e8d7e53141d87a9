// Makes C that goes through every field of the messages of some .proto files by generated code:
// view_M compares a view with a message, write_M and reverse_M write a message through writers.
//   node test/unit/codec/make-visitors.mjs <folder of .proto files> <output file> <file>...
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { buildPlugin, PLUGIN, root, run } from '../../../scripts/build.mjs';

const [folder, output, ...files] = process.argv.slice(2);
await buildPlugin();
const load = (name) => import(join(root, PLUGIN, 'dist/c', `${name}.js`));
const { Model, isMessage } = await load('model');
const { cType } = await load('accessor');
const { messagesOf } = await load('file');
const { argumentsOf } = await load('writer');

const set = `${output}.fds`;
run(join(root, 'node_modules/.bin/buf'),
  ['build', folder, '--as-file-descriptor-set', '-o', `${set}#format=binpb`]);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(set)));
rmSync(set);
const model = new Model();
const messages = files.flatMap((name) => messagesOf(registry.getFile(`${name}.proto`), model));
model.markRequired();

const explicit = (m, f) => f.explicit || m.mapEntry;
const value = (f) => (f.kind === 'bytes' ? 'spc_bytes' : cType(f));
const same = (f) => (f.kind === 'bytes'
  ? 'x.length == y.length && (x.length == 0 || memcmp(x.data, y.data, x.length) == 0)'
  : 'memcmp(&x, &y, sizeof x) == 0');

function viewField(m, f) {
  const n = `${m.name}_${f.name}`;
  const v = `${m.name}_view_${f.name}`;
  if (f.map) {
    return `{ spc_gen_place p = ${v}(v); uint32_t k = 0; ${f.message.name}_view e;
    while (${v}_next(&p, &e, NULL) == SPC_OK) k++;
    if (k < ${n}_count(a, m)) return false;
    if (k == ${n}_count(a, m)) { /* every key came once */
      p = ${v}(v);
      for (uint32_t i = 0; i < k; i++)
        if (${v}_next(&p, &e, NULL) != SPC_OK ||
            !view_${f.message.name}(a, ${n}_at(a, m, i), &e)) return false; } }`;
  }
  if (f.repeated) {
    const element = isMessage(f) ? `${f.message.name}_view` : value(f);
    const check = isMessage(f)
      ? `if (!view_${f.message.name}(a, ${n}_at(a, m, i), &y)) return false;`
      : `{ ${value(f)} x = ${n}_at(a, m, i); if (!(${same(f)})) return false; }`;
    return `{ spc_gen_place p = ${v}(v); ${element} y;
    for (uint32_t i = 0; i < ${n}_count(a, m); i++) {
      if (${v}_next(&p, &y, NULL) != SPC_OK) return false;
      ${check} }
    if (${v}_next(&p, &y, NULL) != SPC_NOT_FOUND) return false; }`;
  }
  // An entry of a message has both fields, whatever there was on the wire.
  const has = f.explicit && !m.mapEntry
    ? `if (${m.name}_has_${f.name}(a, m) != ${m.name}_view_has_${f.name}(v)) return false;` : '';
  if (isMessage(f)) {
    return `{ ${has} ${f.message.name}_view s; ${f.message.name} sub = ${n}(a, m);
    spc_status status = ${v}(v, &s, NULL);
    if (status != SPC_MALFORMED) {
      if (${m.mapEntry ? 'status == SPC_OK && sub.ref == 0' : '(status == SPC_OK) != (sub.ref != 0)'}) return false;
      if (status == SPC_OK && !view_${f.message.name}(a, sub, &s)) return false; } }`;
  }
  return `{ ${has} ${value(f)} x = ${n}(a, m), y = ${v}(v); if (!(${same(f)})) return false; }`;
}

/** Writes a sub-message `s` in one of the ways there are. */
function writeMessage(m, f, kind) {
  const w = `${m.name}_${kind}`;
  const sub = f.message;
  const open = `{ ${sub.name}_${kind} c = ${w}_open_${f.name}(w); ${kind}_${sub.name}(c, a, s);
      ${sub.name}_${kind}_close(c); }`;
  const from = sub.required || sub.mapEntry ? open
    : `if (s.ref % 3 == 0) ${w}_${f.name}_from(w, a, s); else ${open}`;
  const fields = f.kind === 'group' ? undefined : argumentsOf(sub);
  if (!fields) return from;
  const all = fields.filter((g) => g.explicit)
    .map((g) => `${sub.name}_has_${g.name}(a, s)`);
  const others = sub.oneofs.filter((o) => !o.fields.some((g) => fields.includes(g)))
    .map((o) => `${sub.name}_${o.name}_case(a, s) == 0`);
  const given = fields.map((g) => `, ${sub.name}_${g.name}(a, s)`).join('');
  return `if (${['true', ...all, ...others].join(' && ')}) ${w}_${f.name}(w${given}); else ${from}`;
}

function writeField(m, f, kind) {
  const n = `${m.name}_${f.name}`;
  const w = `${m.name}_${kind}_${f.name}`;
  if (f.repeated) {
    const loop = kind === 'writer' ? `for (uint32_t i = 0; i < ${n}_count(a, m); i++)`
      : `for (uint32_t i = ${n}_count(a, m); i-- > 0;)`;
    if (isMessage(f)) {
      return `${loop} { ${f.message.name} s = ${n}_at(a, m, i); ${writeMessage(m, f, kind)} }`;
    }
    if (f.packed) {
      return `{ static ${cType(f)} x[4096]; uint32_t k = ${n}_count(a, m);
    for (uint32_t i = 0; i < k && i < 4096; i++) x[i] = ${n}_at(a, m, i);
    ${w}(w, x, k); }`;
    }
    const one = f.kind === 'bytes' ? 'x.data, x.length' : 'x';
    return `${loop} { ${value(f)} x = ${n}_at(a, m, i); ${w}(w, ${one}); }`;
  }
  const has = explicit(m, f) ? `if (${m.name}_has_${f.name}(a, m))` : '';
  if (isMessage(f)) {
    return `${has} { ${f.message.name} s = ${n}(a, m); ${writeMessage(m, f, kind)} }`;
  }
  return `${has} { ${value(f)} x = ${n}(a, m); ${w}(w, ${f.kind === 'bytes' ? 'x.data, x.length' : 'x'}); }`;
}

const parameters = (m) => `const spc_arena *a, ${m.name} m`;
const view = (m) => `static bool view_${m.name}(${parameters(m)}, const ${m.name}_view *v)`;
const write = (m, kind) => `static void ${kind}_${m.name}(${m.name}_${kind} w, ${parameters(m)})`;
const roots = messages.filter((m) => !m.mapEntry);
writeFileSync(output, `/* By make-visitors.mjs. */
/* clang-format off */
${messages.map((m) => `${view(m)};\n${write(m, 'writer')};\n${write(m, 'reverse')};\n`).join('')}
${messages.map((m) => `${view(m)} {
  (void)a; (void)m; (void)v;
${m.fields.map((f) => `  ${viewField(m, f)}\n`).join('')}  return true;
}
${write(m, 'writer')} {
  (void)a; (void)m; (void)w;
${m.fields.map((f) => `  ${writeField(m, f, 'writer')}\n`).join('')}}
${write(m, 'reverse')} {
  (void)a; (void)m; (void)w;
${[...m.fields].reverse().map((f) => `  ${writeField(m, f, 'reverse')}\n`).join('')}}
`).join('')}
${roots.map((m) => `static bool root_view_${m.name}(const spc_arena *a, uint32_t ref, const uint8_t *p, size_t n) {
  ${m.name}_view v; ${m.name} m = {ref};
  return ${m.name}_view_init(&v, p, n, NULL) == SPC_OK && view_${m.name}(a, m, &v);
}
static spc_status root_write_${m.name}(const spc_arena *a, uint32_t ref, bool back, uint8_t *out, size_t room, size_t *n) {
  spc_gen_writer w; ${m.name} m = {ref};
  if (back) {
    ${m.name}_reverse r = ${m.name}_reverse_init(&w, out, room);
    reverse_${m.name}(r, a, m);
    return ${m.name}_reverse_finish(r, n);
  }
  ${m.name}_writer r = ${m.name}_writer_init(&w, out, room);
  writer_${m.name}(r, a, m);
  return ${m.name}_writer_finish(r, n);
}
`).join('')}
typedef struct visitor {
  const char *name;
  bool (*view)(const spc_arena *, uint32_t, const uint8_t *, size_t);
  spc_status (*write)(const spc_arena *, uint32_t, bool, uint8_t *, size_t, size_t *);
} visitor;
static const visitor visitors[] = {
${roots.map((m) => `  {"${m.typeName}", root_view_${m.name}, root_write_${m.name}},\n`).join('')}};
`);

