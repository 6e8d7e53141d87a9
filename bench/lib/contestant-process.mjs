// Contestants live in processes of their own: one crash is one row, one variant's garbage and
// type feedback never reach another's timed part, and another engine or the C runner takes part in
// the same rounds. This is the side of the benchmark; bench/worker.mjs and bench/native are the
// other. Each class offers(suite), check(offer), time(offer, repetitions), close().
import { fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('../worker.mjs', import.meta.url));

function ending(code, signal) {
  return signal ? `its process was ended by ${signal}` : `its process ended with code ${code}`;
}

/** A process that answers one request at a time; subclasses know its language. */
class ContestantProcess {
  #pending;
  #ended;

  constructor(child) {
    this.child = child;
    child.on('error', (error) => this.#end(error));
    child.on('exit', (code, signal) => this.#end(new Error(ending(code, signal))));
  }

  #end(error) {
    this.#ended ??= error;
    this.#pending?.reject(this.#ended);
    this.#pending = undefined;
  }

  /** Sends a request and resolves to what answer() is given for it. */
  ask(request) {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.send(request);
    });
  }

  answer(value, error) {
    const pending = this.#pending;
    this.#pending = undefined;
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(new Error(error));
  }

  close() {
    this.child.kill('SIGKILL');
  }
}

/** A back end in a Node process: `module` is the URL of the file whose open(name) gives it. */
export class NodeContestants extends ContestantProcess {
  constructor({ name, module }, execPath) {
    super(fork(WORKER, { execPath, serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'] }));
    this.backend = { name, module: String(module) };
    this.child.on('message', ({ value, error }) => this.answer(value, error));
  }

  send(request) {
    this.child.send(request, (error) => error && this.answer(undefined, error.message));
  }

  offers(suite) {
    return this.ask({ method: 'offers', suite: String(suite.module), backend: this.backend });
  }

  check(offer) {
    return this.ask({ method: 'check', offer });
  }

  time(offer, repetitions) {
    return this.ask({ method: 'time', offer, repetitions });
  }
}

/** The C runner: lines of words in, one line out. */
export class NativeContestants extends ContestantProcess {
  constructor(executable) {
    super(spawn(executable, ['--serve'], { stdio: ['pipe', 'pipe', 2] }));
    this.child.stdin.on('error', () => {});
    createInterface(this.child.stdout).on('line', (line) => {
      const [, word, rest] = line.match(/^(\S+) ?(.*)$/);
      if (word === 'ok') this.answer(rest);
      else this.answer(undefined, rest);
    });
  }

  send(request) {
    this.child.stdin.write(`${request}\n`);
  }

  async offers(suite) {
    const rows = await this.ask(`rows ${suite.name}`);
    return rows.split(' ').filter(Boolean).map((row) => {
      const [name, variant, operations] = row.split(':');
      const offer = { suite: suite.name, case: name, variant, operations: Number(operations) };
      return operations === '0' ? { ...offer, reason: 'this processor lacks its instructions' } : offer;
    });
  }

  async check(offer) {
    const results = await this.ask(`check ${offer.suite} ${offer.case} ${offer.variant}`);
    return Object.fromEntries(results.split(' ').map((result) => result.split('=')));
  }

  async time(offer, repetitions) {
    const { suite, case: name, variant } = offer;
    const elapsed = await this.ask(`time ${suite} ${name} ${variant} ${repetitions}`);
    return { elapsed: Number(elapsed) };
  }
}
