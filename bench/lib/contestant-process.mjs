// Contestants live in processes of their own: one crash is one row, one variant's garbage and
// type feedback never reach another's timed part, and another engine or the C runner takes part in
// the same rounds. This is the side of the benchmark; bench/worker.mjs and bench/native are the
// other. Each class has offers(suite), check(offer), time(offer, repetitions), close().
import { fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('../worker.mjs', import.meta.url));
const WASI = fileURLToPath(new URL('../wasi.mjs', import.meta.url));

/** How a process ended, with the error that it printed last, if any. */
function ending(code, signal, printed) {
  const error = printed.split('\n').findLast((line) => /error/i.test(line));
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  return `its process ${how}${error ? `: ${error.trim()}` : ''}`;
}

/** A process that answers one request at a time; subclasses know its language. */
class ContestantProcess {
  #pending;
  #ended;

  constructor(child) {
    this.child = child;
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed = (printed + chunk).slice(-4096);
    });
    child.on('error', (error) => this.#end(error));
    child.on('close', (code, signal) => this.#end(new Error(ending(code, signal, printed))));
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
  #quick;

  /** `quick`: whether inputs are those of the quick form. */
  constructor({ name, module }, execPath, quick) {
    const stdio = ['ignore', 2, 'pipe', 'ipc'];
    super(fork(WORKER, { execPath, serialization: 'advanced', stdio }));
    this.#quick = quick;
    this.backend = { name, module: String(module) };
    this.child.on('message', ({ value, error }) => this.answer(value, error));
  }

  send(request) {
    this.child.send(request, (error) => error && this.answer(undefined, error.message));
  }

  offers(suite) {
    const { backend } = this;
    return this.ask({ method: 'offers', suite: String(suite.module), backend, quick: this.#quick });
  }

  check(offer) {
    return this.ask({ method: 'check', offer });
  }

  time(offer, repetitions) {
    return this.ask({ method: 'time', offer, repetitions });
  }
}

/** The C runner, natively or in Wasm: lines of words in, one line out. */
export class NativeContestants extends ContestantProcess {
  #without;

  constructor({ program, wasi, without = [] }, execPath, quick) {
    const [command, args] = program ? [program, []] : [execPath, ['--no-warnings', WASI, wasi]];
    super(spawn(command, [...args, ...(quick ? ['--quick'] : []), '--serve'], { stdio: 'pipe' }));
    this.#without = without;
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
      const [name, variant, operations, group] = row.split(':');
      const reason = operations === '0' ? 'this processor lacks its instructions' : undefined;
      return {
        suite: suite.name, case: name, variant, operations: Number(operations), reason,
        ...(group && { group }),
      };
    }).filter(({ variant }) => !this.#without.includes(variant));
  }

  #askAbout(what, { suite, case: name, variant }, rest = '') {
    return this.ask(`${what} ${suite} ${name} ${variant} ${rest}`);
  }

  async check(offer) {
    const results = await this.#askAbout('check', offer);
    return Object.fromEntries(results.split(' ').filter(Boolean).map((word) => word.split('=')));
  }

  async time(offer, repetitions) {
    return { elapsed: Number(await this.#askAbout('time', offer, repetitions)) };
  }

  /** What else there is to say of a row, such as the bytes that it allocates. */
  async facts(offer) {
    return JSON.parse(`{${await this.#askAbout('facts', offer)}}`);
  }
}
