// A process of one back end in one suite. The benchmark forks it (lib/contestant-process.mjs) and
// asks for one thing at a time.
import { performance } from 'node:perf_hooks';

let suite;
let backend;
let opened;
let currentCase;
let active;
const prepared = new Map();

/** What `offer` runs, made once a case, so that nothing is made between the samples of its rows. */
async function runnable(offer) {
  if (currentCase !== offer.case) prepared.clear();
  currentCase = offer.case;
  if (!prepared.has(offer.variant)) {
    prepared.set(offer.variant, await suite.prepare(backend, offer, opened));
  }
  const row = prepared.get(offer.variant);
  if (active !== row) await row.activate?.();
  active = row;
  return row;
}

/** Times `run` and `takeOff` call by call, so that what disturbs the one disturbs the other. */
async function timeBeside(run, takeOff, repetitions) {
  let elapsed = 0;
  let takenOff = 0;
  for (let i = 0; i < repetitions; i++) {
    const start = performance.now();
    const pending = run();
    if (pending instanceof Promise) await pending;
    const middle = performance.now();
    takeOff();
    elapsed += middle - start;
    takenOff += performance.now() - middle;
  }
  return { elapsed: elapsed * 1e6, takenOff: takenOff * 1e6 };
}

const methods = {
  async offers(request) {
    suite = await import(request.suite);
    opened = request.backend;
    const { open } = await import(opened.module);
    backend = await open(opened.name, suite.name);
    return suite.offers(backend, request.quick);
  },

  async check({ offer }) {
    const { run, result, measure } = await runnable(offer);
    return measure ? {} : result(await run());
  },

  async time({ offer, repetitions }) {
    const { run, takeOff, measure } = await runnable(offer);
    if (measure) return { elapsed: await measure() };
    if (takeOff) return timeBeside(run, takeOff, repetitions);
    const start = performance.now();
    for (let i = 0; i < repetitions; i++) {
      const pending = run();
      if (pending instanceof Promise) await pending;
    }
    return { elapsed: (performance.now() - start) * 1e6 };
  },
};

// Ctrl-C reaches the whole process group; what ends this process is the benchmark.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', async (request) => {
  try {
    process.send({ value: await methods[request.method](request) });
  } catch (error) {
    process.send({ error: error.message });
  }
});
