// Contestants that take a fresh process for each sample, where lib/contestant-process.mjs has one
// that stays. The probe is a program that gets {module, name, case, variant} as JSON and prints
// {nanoseconds, result}: one sample, and named results to compare.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export class ProbeContestants {
  #backend;
  #execPath;
  #probe;
  #offers;

  /** `offers` are {case, variant, reason?}. */
  constructor(backend, execPath, probe, offers) {
    this.#backend = backend;
    this.#execPath = execPath;
    this.#probe = probe;
    this.#offers = offers.map((offer) => ({ operations: 1, fixedRepetitions: 1, ...offer }));
  }

  async #sample({ case: name, variant }) {
    const what = { name: this.#backend.name, module: String(this.#backend.module), case: name, variant };
    const { stdout } = await promisify(execFile)(this.#execPath, [this.#probe, JSON.stringify(what)])
      .catch(({ message, stderr = '' }) => {
        throw new Error(stderr.split('\n').findLast((line) => /Error/.test(line)) ?? message);
      });
    return JSON.parse(stdout);
  }

  /** Takes one sample, to find out whether the back end can be had. */
  async offers() {
    const offer = this.#offers.find(({ reason }) => !reason);
    if (offer) await this.#sample(offer);
    return this.#offers;
  }

  async check(offer) {
    return (await this.#sample(offer)).result;
  }

  async time(offer, repetitions) {
    let elapsed = 0;
    for (let i = 0; i < repetitions; i++) elapsed += (await this.#sample(offer)).nanoseconds;
    return { elapsed };
  }

  close() {}
}
