// bench-run.mjs NAMES OPTIONS...: the benchmark with the back ends of bench-backend.mjs beside those
// that the options choose.
import { main } from '../../../../bench/run.mjs';

const [names, ...options] = process.argv.slice(2);
const module = new URL('./bench-backend.mjs', import.meta.url).href;
const extra = names.split(',').map((name) => ({ name, suites: ['kernels'], module }));
process.exitCode = await main(options, extra);
