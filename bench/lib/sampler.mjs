// Takes the samples of contestants that compete: everyone's result is compared first, then a pilot
// finds each one's repetition count, then all run in turn, round by round (A B A B ...), so that a
// slow moment of the machine hits all of them alike.
//
// A contestant is {name, check(), time(repetitions), operations, facts?(), fixedRepetitions?,
// samples?}; `samples` is how many it takes at most: what one is enough of is not warmed up.
// check() resolves to an object of named results; time() runs that many times and resolves to
// {elapsed, takenOff?} in nanoseconds: how long that took, and what of it does not count; facts()
// resolves to what else there is to say.

import { performance } from 'node:perf_hooks';

/**
 * How thoroughly to measure. Times are in milliseconds: `sample` is the least that a sample takes,
 * `row` bounds what the samples of one row take as long as that leaves `fewestSamples`, `longest`
 * bounds what those take, and `total` bounds the whole run. Where samples are too short to warm
 * anything up, `settle` is how long that takes.
 */
export const FORMS = {
  full: {
    name: 'full', warmups: 3, samples: 15, fewestSamples: 5, sample: 100, row: 20_000,
    longest: Infinity, total: Infinity,
  },
  quick: {
    name: 'quick', warmups: 1, samples: 5, fewestSamples: 3, sample: 20, row: 1_000,
    longest: 3_000, total: 140_000,
  },
  busy: {
    name: 'busy', warmups: 1, samples: 101, fewestSamples: 5, sample: 0.4, row: 1_000,
    longest: 10_000, total: Infinity, settle: 500,
  },
};

/** Two contestants gave different results, so that no time of either means anything. */
export class MismatchError extends Error {
  name = 'MismatchError';
}

const NS_PER_MS = 1e6;

/** Throws a MismatchError unless all agree on every result that they have in common. */
export function compareResults(results) {
  const first = new Map();
  for (const { name, result } of results) {
    for (const [what, value] of Object.entries(result)) {
      if (!first.has(what)) first.set(what, { name, value });
      const reference = first.get(what);
      if (reference.value !== value) {
        throw new MismatchError(
          `${what} differs: ${reference.name} gave ${reference.value}, ${name} gave ${value}`,
        );
      }
    }
  }
}

/** Times a contestant, with what that cost in all: set-up that is not timed takes time too. */
async function timeWithCost(contestant, repetitions) {
  const start = performance.now();
  const { elapsed } = await contestant.time(repetitions);
  return { elapsed, cost: Math.max(elapsed, (performance.now() - start) * NS_PER_MS) };
}

/**
 * Finds how many repetitions fill a sample; what it runs warms the contestant up. Where set-up that
 * is not timed takes most of the time, a sample is what the row can afford.
 */
async function pilot(contestant, form) {
  if (contestant.fixedRepetitions) return { repetitions: contestant.fixedRepetitions, warm: 0 };
  const wanted = form.sample * NS_PER_MS;
  for (let repetitions = 1; ;) {
    const { elapsed, cost } = await timeWithCost(contestant, repetitions);
    if (elapsed >= wanted) return { repetitions, warm: 1, cost };
    // Far below the sample's length one time says little, so that the count grows in steps.
    const growth = elapsed * 10 < wanted ? 10 : (1.1 * wanted) / elapsed;
    const affordable = (form.row * NS_PER_MS) / form.fewestSamples / cost;
    const next = Math.ceil(repetitions * Math.min(growth, affordable));
    if (next <= repetitions) return { repetitions, warm: 1, cost };
    repetitions = next;
  }
}

/** Nanoseconds an operation. */
async function takeSample(contestant, repetitions) {
  const { elapsed, takenOff = 0 } = await contestant.time(repetitions);
  return (elapsed - takenOff) / repetitions / contestant.operations;
}

/** How many samples of `cost` milliseconds to take; 0 where the cost is not known. */
function countRounds({ samples, fewestSamples, row, longest }, cost) {
  if (cost === 0) return samples;
  const affordable = Math.max(row / cost, Math.min(fewestSamples, longest / cost));
  return Math.max(1, Math.min(samples, Math.floor(affordable)));
}

/** Runs a contestant until engines have compiled what there is to compile. */
async function settle(contestant, time) {
  let repetitions = 1;
  for (let spent = 0; spent < time * NS_PER_MS;) {
    const { elapsed, cost } = await timeWithCost(contestant, repetitions);
    if (elapsed < NS_PER_MS) repetitions *= 2;
    spent += cost;
  }
}

async function prepare(contestant, form) {
  if (form.settle && contestant.samples !== 1) await settle(contestant, form.settle);
  const { repetitions, warm, cost = 0 } = await pilot(contestant, form);
  let last = cost;
  let spent = cost;
  const warmups = contestant.samples === 1 ? 0 : form.warmups;
  for (let run = warm; run < warmups && spent + last < (form.row / 4) * NS_PER_MS; run++) {
    last = (await timeWithCost(contestant, repetitions)).cost;
    spent += last;
  }
  const rounds = countRounds({ ...form, samples: contestant.samples ?? form.samples }, last / NS_PER_MS);
  return { contestant, repetitions, rounds, samples: [] };
}

/**
 * Measures contestants against each other. Resolves to one {contestant, samples, facts} each, with
 * samples in nanoseconds an operation, or {contestant, reason} for one that failed. Sample i of all
 * was taken in round i. When `signal` fires it resolves to what there is by then.
 */
export async function sampleTogether(contestants, form, signal) {
  const failures = [];
  const attempt = async (contestant, step) => {
    try {
      return await step();
    } catch (error) {
      if (!signal.aborted) failures.push({ contestant, reason: error.message });
      return undefined;
    }
  };

  const results = [];
  for (const contestant of contestants) {
    const result = await attempt(contestant, () => contestant.check());
    if (result) results.push({ contestant, name: contestant.name, result });
  }
  compareResults(results);

  let running = [];
  for (const { contestant } of results) {
    if (signal.aborted) break;
    const ready = await attempt(contestant, () => prepare(contestant, form));
    if (ready) running.push(ready);
  }
  for (let round = 0; round < form.samples && !signal.aborted; round++) {
    for (const entry of running) {
      if (signal.aborted || round >= entry.rounds) continue;
      const { contestant, repetitions } = entry;
      const sample = await attempt(contestant, () => takeSample(contestant, repetitions));
      if (sample !== undefined) {
        entry.samples.push(sample);
      } else if (!signal.aborted) {
        running = running.filter((other) => other !== entry);
      }
    }
  }
  const measured = [];
  for (const { contestant, samples } of running.filter((entry) => entry.samples.length > 0)) {
    const facts = () => (signal.aborted ? undefined : contestant.facts?.());
    measured.push({ contestant, samples, facts: await attempt(contestant, facts) });
  }
  return [...measured, ...failures];
}
