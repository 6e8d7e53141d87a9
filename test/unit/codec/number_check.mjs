// Holds the text that the core gives doubles against JavaScript's: node number_check.mjs <program>
import { spawnSync } from 'node:child_process';

const [program, ...rest] = process.argv.slice(2);
const { stdout, status } = spawnSync(program, [...rest, 'print'],
  { encoding: 'utf8', maxBuffer: 1 << 26 });
const view = new DataView(new ArrayBuffer(8));
let lines = 0;
let wrong = 0;
for (const line of stdout.split('\n')) {
  if (line === '') continue;
  const [bits, text] = line.split(' ');
  view.setBigUint64(0, BigInt(`0x${bits}`));
  const value = view.getFloat64(0);
  const expected = Object.is(value, -0) ? '-0' : String(value);
  lines++;
  if (text !== expected && wrong++ < 10) console.error(`${bits}: ${text}, not ${expected}`);
}
console.log(`${lines} numbers, ${wrong} wrong`);
process.exit(status === 0 && lines > 50000 && wrong === 0 ? 0 : 1);
