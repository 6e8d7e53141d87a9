#!/usr/bin/env node
// The benchmark: measures the suites on the back ends and reports. `npm start` runs --quick.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';

import { ownBackends } from './backends/index.mjs';
import { peerBackends, peerNames } from './backends/peers.mjs';
import { Budget } from './lib/budget.mjs';
import { describeEnvironment } from './lib/environment.mjs';
import { htmlReport } from './lib/report-html.mjs';
import { markdownReport } from './lib/report-markdown.mjs';
import { runSuite } from './lib/run-suite.mjs';
import { FORMS, MismatchError } from './lib/sampler.mjs';
import * as codec from './suites/codec.mjs';
import * as faults from './suites/faults.mjs';
import * as kernels from './suites/kernels.mjs';
import * as sponge from './suites/sponge.mjs';
import * as ssz from './suites/ssz.mjs';
import * as startup from './suites/startup.mjs';
import * as transports from './suites/transports.mjs';

const SUITES = [sponge, startup, kernels, transports, faults, ssz, codec];

const HELP = `Usage: node bench/run.mjs [options]

Measures what each way to run the operations costs, all back ends in turn, and prints a Markdown
report. Progress goes to standard error. Ctrl-C ends the run with a report of what was measured.

  --suite A,B      only these suites: ${SUITES.map(({ name }) => name).join(', ')}
  --backends A,B   only these back ends, such as wasm-simd,native,c or a peer's name
  --case A,B       only cases that begin so, such as js/ in the codec suite
  --quick          5 samples of 20 ms instead of 15 of 100 ms, and smaller inputs; 2 to 3 minutes
  --busy           101 samples of 0.4 ms: for machines that others use, as most samples then
                   are disturbed by nobody, and ratios still hold
  --node PATH      run the JavaScript rows in that Node too, beside this one
  --peers          add other implementations (installed from bench/peers when first used)
  --json FILE      write the report as JSON, with raw samples
  --html FILE      write the report as one HTML page with charts
  --help           show this text

Exit code: 0 done; 1 two back ends gave different results, or a report could not be written;
2 wrong options; 130 interrupted.
`;

class UsageError extends Error {}

function readOptions(args) {
  try {
    return parseArgs({
      args,
      options: {
        suite: { type: 'string' },
        backends: { type: 'string' },
        case: { type: 'string' },
        quick: { type: 'boolean', default: false },
        busy: { type: 'boolean', default: false },
        node: { type: 'string' },
        peers: { type: 'boolean', default: false },
        json: { type: 'string' },
        html: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** The words of a list option, each of which `known` must have. */
function chosenNames(option, list, known) {
  if (list === undefined) return known;
  const names = list.split(',').filter(Boolean);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    throw new UsageError(`${option} takes some of: ${known.join(', ')}; not "${unknown ?? ''}"`);
  }
  return names;
}

function chosenEngines(path) {
  const engines = [{ path: process.execPath, version: process.version }];
  if (path === undefined) return engines;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const version = stdout?.trim();
  if (!/^v\d+\./.test(version ?? '')) throw new UsageError(`--node: ${path} is no Node binary`);
  return [...engines, { path, version }];
}

/** A function that shows what is being done: one changing line on a terminal, else lines. */
function makeProgress(stream) {
  const start = Date.now();
  return (text) => {
    const line = `[${Math.round((Date.now() - start) / 1000)} s] ${text}`;
    stream.write(stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

/** The name of the variant that the package loads by itself in this engine. */
async function defaultVariant() {
  try {
    return (await (await import('spicule/sponge')).createInstance()).variant;
  } catch {
    return undefined;
  }
}

/**
 * Runs the benchmark and gives the exit code. `extraBackends` are measured beside the chosen ones.
 */
export async function main(args, extraBackends = []) {
  let options, suites, engines, backends;
  try {
    options = readOptions(args);
    if (options.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const names = chosenNames('--suite', options.suite, SUITES.map(({ name }) => name));
    suites = SUITES.filter(({ name }) => names.includes(name));
    if (options.quick && options.busy) throw new UsageError('--quick and --busy are two forms: choose one');
    engines = chosenEngines(options.node);
    const own = ownBackends();
    const ownNames = [...new Set(own.map(({ name }) => name))];
    const wanted = options.backends === undefined
      ? ownNames : chosenNames('--backends', options.backends, [...ownNames, ...peerNames]);
    const peers = options.peers ? peerNames : peerNames.filter((name) => wanted.includes(name));
    backends = [...own.filter(({ name }) => wanted.includes(name)), ...extraBackends]
      .map((backend) => (options.backends === undefined ? backend : { ...backend, fullOnly: [] }));
    if (peers.length > 0) {
      process.stderr.write('Preparing the peers\n');
      backends.push(...peerBackends(peers));
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nTry --help.\n`);
    return 2;
  }

  const interruption = new AbortController();
  const interrupt = () => {
    // A second Ctrl-C does not wait for the report.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);

  const form = options.busy ? FORMS.busy : options.quick ? FORMS.quick : FORMS.full;
  const env = describeEnvironment({ form: form.name, wasmVariant: await defaultVariant() });
  const report = { schema: 1, env, rows: [] };
  const progress = makeProgress(process.stderr);
  const budget = new Budget(form.total, suites.map(({ share }) => share));
  try {
    for (const suite of suites) {
      if (interruption.signal.aborted) break;
      await runSuite(suite, {
        backends, engines, form, budget, progress,
        cases: options.case?.split(',').filter(Boolean),
        signal: interruption.signal,
        add: (rows) => report.rows.push(...rows),
      });
    }
    env.partial = interruption.signal.aborted;
    progress(env.partial ? 'interrupted' : 'done');
    if (process.stderr.isTTY) process.stderr.write('\n');
    if (report.rows.length === 0 && !env.partial) {
      process.stderr.write(`no case of these suites and back ends begins with ${options.case}\n`);
      return 2;
    }
    process.stdout.write(markdownReport(report, suites));
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
    if (options.html) writeFileSync(options.html, htmlReport(report, suites));
  } catch (error) {
    if (!(error instanceof MismatchError) && error.syscall === undefined) throw error;
    process.stderr.write(`\n${error.message}\n`);
    return 1;
  }
  return env.partial ? 130 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
