// The start-up suite: from importing the package to the first result, in a fresh process a sample.
// What it takes to start Node itself is not counted.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const name = 'startup';
export const title = 'Start-up: import to first result in a fresh process';
export const unit = 'ms';
export const share = 1;

const PROBE = fileURLToPath(new URL('./startup-probe.mjs', import.meta.url));

const offer = { case: 'startup', variant: 'first-result', operations: 1, fixedRepetitions: 1 };

/** In the place of a process that stays (lib/contestant-process.mjs): one for each sample. */
export class StartupContestants {
  #backend;
  #execPath;

  constructor(backend, execPath) {
    this.#backend = backend;
    this.#execPath = execPath;
  }

  async offers() {
    await this.check();
    return [offer];
  }

  async #probe() {
    const { name, module } = this.#backend;
    const { stdout } = await promisify(execFile)(this.#execPath, [PROBE, String(module), name])
      .catch(({ message, stderr = '' }) => {
        throw new Error(stderr.split('\n').findLast((line) => /Error/.test(line)) ?? message);
      });
    return JSON.parse(stdout);
  }

  async check() {
    return { 'first hash': (await this.#probe()).hash };
  }

  async time(_offer, repetitions) {
    let elapsed = 0;
    for (let i = 0; i < repetitions; i++) elapsed += (await this.#probe()).milliseconds * 1e6;
    return { elapsed };
  }

  close() {}
}

/** Every row against the default way in. */
export function ratioTo(row, rows) {
  if (row.backend === 'wasm-simd') return undefined;
  return rows.find((other) => other.backend === 'wasm-simd' && other.engine === row.engine);
}

export const connect = (backend, execPath) => new StartupContestants(backend, execPath);
