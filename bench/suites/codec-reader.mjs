// Functions that read every field of a HAPI message of a library, made of text: one for each type,
// with its fields by name, so that each library is read as a program of its user would.
import { readFileSync } from 'node:fs';

const SUBSET = new URL('../workloads/hapi/subset.h', import.meta.url);

/** {message: [{kind, args}]} of workloads/hapi/subset.h. */
function readSubset() {
  const text = readFileSync(SUBSET, 'utf8').replaceAll('\\\n', '');
  const messages = new Map();
  for (const [, name, body] of text.matchAll(/^#define HAPI_FIELDS_(\w+)\([^)]*\)(.*)$/gm)) {
    messages.set(name, [...body.matchAll(/\b(S|M|R|B|O|SO|MO)\(([^()]*)\)/g)]
      .map(([, kind, list]) => ({ kind, args: list.split(', ').slice(1) })));
  }
  return messages;
}

export const camelCase = (name) => name.replace(/_+(.?)/g, (_, next) => next.toUpperCase());

const HELPERS = `
const bytes = (b) => (b == null || b.length === 0 ? 0 : b.length + b[0] + b[b.length - 1]);
const low = (v) => Number(BigInt.asIntN(32, v));
`;

/**
 * Gives {Block(m), SignedTransaction(m), ...}, each the sum of all fields modulo 2^32. `style` is
 * {local: a field's property, oneof: 'pair' ({case, value}) or 'name' (the property that is set),
 * bigint: whether 64-bit integers are bigints, list: 'at' for lists that are no arrays}.
 */
export function makeReaders({ local, oneof, bigint, list }) {
  const wide = new Set(['seconds', 'shardNum', 'realmNum', 'accountNum', 'tokenNum', 'scheduleNum',
    'serialNumber', 'serial_number', 'amount', 'balance', 'tinybar_balance', 'number', 'block',
    'transaction_fee_charged', 'congestion_pricing_multiplier', 'high_volume_pricing_multiplier',
    'round_number', 'expiration_second', 'staked_to_me', 'stake_period_start', 'staked_node_id',
    'head_nft_serial_number', 'number_owned_nfts', 'ethereum_nonce', 'auto_renew_seconds',
    'stake_at_start_of_last_rewarded_period', 'number_pending_airdrops', 'number_hooks_in_use',
    'first_hook_id', 'number_evm_hook_storage_slots', 'node_id', 'transactionFee', 'value']);
  const number = (name, x) => (bigint && wide.has(name) ? `low(${x})` : `(${x} | 0)`);
  const scalar = { INT: number, SINT: number, BOOL: (_, x) => `(${x} ? 1 : 0)`,
    STRING: (_, x) => `${x}.length`, BYTES: (_, x) => `bytes(${x})` };
  const functions = [];
  for (const [message, fields] of readSubset()) {
    const lines = fields.map(({ kind, args }) => {
      const property = (name) => `m.${local(name)}`;
      if (kind === 'S') return `s += ${scalar[args[1]](args[2], property(args[2]))};`;
      if (kind === 'M') {
        return `{ const v = ${property(args[2])}; if (v != null) s += ${args[1]}(v); }`;
      }
      if (kind === 'R') {
        return `{ const l = ${property(args[2])};
          for (let i = 0, n = l.length; i < n; i++) s += ${args[1]}(${list === 'at' ? 'l.at(i)' : 'l[i]'}); }`;
      }
      if (kind === 'B') {
        return `{ const l = ${property(args[1])};
          for (let i = 0, n = l.length; i < n; i++) s += bytes(${list === 'at' ? 'l.at(i)' : 'l[i]'}); }`;
      }
      return '';
    });
    for (const { args: [name] } of fields.filter(({ kind }) => kind === 'O')) {
      const members = fields.filter(({ kind, args }) =>
        (kind === 'SO' || kind === 'MO') && args[3] === name);
      const value = oneof === 'pair' ? () => 'o.value' : (field) => `m.${local(field)}`;
      const cases = members.map(({ kind, args: [n, type, field] }) => {
        const x = value(field);
        const read = kind === 'MO' ? `${type}(${x})` : scalar[type](field, x);
        return `case '${local(field)}': s += ${n} + ${read}; break;`;
      }).join('\n');
      lines.push(oneof === 'pair'
        ? `{ const o = m.${local(name)}; if (o !== undefined) switch (o.case) { ${cases} } }`
        : `switch (m.${local(name)}) { ${cases} }`);
    }
    functions.push(`function ${message}(m) { let s = 0; ${lines.join('\n')} return s | 0; }`);
  }
  const roots = 'Block, BlockItem, SignedTransaction, TransactionBody';
  return new Function(`${HELPERS}${functions.join('\n')}\nreturn { ${roots} };`)();
}
