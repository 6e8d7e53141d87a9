// Runs one suite: opens every contestant, measures them case by case, and makes the rows of the
// report (bench/README.md describes them).
import { MismatchError, sampleTogether } from './sampler.mjs';
import { NativeContestants, NodeContestants } from './contestant-process.mjs';
import { pairedRatio, summarize } from './stats.mjs';

// What a contestant's figures are divided by: they are nanoseconds, or bytes.
const UNITS = { ns: 1, us: 1e3, ms: 1e6, bytes: 1 };

function connect(suite, backend, engine, quick) {
  if (suite.connect) return suite.connect(backend, engine.path);
  if (!backend.module) return new NativeContestants(backend, engine.path, quick);
  return new NodeContestants(backend, engine.path, quick);
}

function notRun(suite, row, reason) {
  return { suite: suite.name, ...row, unit: suite.unit, status: 'not run', reason };
}

/**
 * Every back end in every engine, one that runs no JavaScript once; in a process for each of the
 * `processes` of the suite, which are variants, where it has such and runs JavaScript.
 */
function participants(suite, { backends, engines, form }) {
  return backends
    .filter((backend) => backend.suites.includes(suite.name) &&
      !(form.name === 'quick' && backend.fullOnly?.includes(suite.name)))
    .flatMap((backend) => (backend.program ? [engines[0]] : engines).flatMap((engine) => {
      const named = engines.length > 1 && !backend.program;
      const label = named ? { engine: engine.version } : {};
      const parts = backend.module && !backend.reason ? suite.processes ?? [''] : [''];
      return parts.map((part) => ({ backend, engine, label, part }));
    }));
}

/** Opens the participants. Gives their contestants and rows for what can't run. */
async function openAll(suite, options, connections) {
  const { cases = [''], form, signal } = options;
  const contestants = [];
  const rows = [];
  for (const { backend, engine, label, part } of participants(suite, options)) {
    if (signal.aborted) break;
    const everything = { case: '*', variant: part || '*', backend: backend.name, ...label };
    if (backend.reason) {
      rows.push(notRun(suite, everything, backend.reason));
      continue;
    }
    try {
      const connection = connect(suite, backend, engine, form.name !== 'full');
      connections.push(connection);
      const offers = await connection.offers(suite);
      const chosen = offers.filter((offer) => (part === '' || offer.variant === part) &&
        cases.some((name) => offer.case.startsWith(name)));
      for (const offer of chosen) {
        const row = { case: offer.case, variant: offer.variant, backend: backend.name, ...label };
        if (offer.reason) {
          rows.push(notRun(suite, row, offer.reason));
          continue;
        }
        contestants.push({
          row,
          name: [backend.name, offer.group && offer.case, offer.variant, label.engine]
            .filter(Boolean).join(' '),
          group: offer.group ?? offer.case,
          operations: offer.operations,
          unit: offer.unit ?? suite.unit,
          samples: offer.samples,
          fixedRepetitions: offer.fixedRepetitions,
          check: () => connection.check(offer),
          time: (repetitions) => connection.time(offer, repetitions),
          facts: () => connection.facts?.(offer),
        });
      }
    } catch (error) {
      if (!signal.aborted) rows.push(notRun(suite, everything, error.message));
    }
  }
  return { contestants, rows };
}

function finishRows(suite, outcomes) {
  const rows = outcomes.map(({ contestant, samples, facts, reason }) => {
    if (reason) return notRun(suite, contestant.row, reason);
    const { unit } = contestant;
    const inUnit = samples.map((sample) => sample / UNITS[unit]);
    const { engine, ...row } = contestant.row;
    return {
      suite: suite.name, ...row, unit, ...summarize(inUnit), samples: inUnit, ...facts,
      ...(engine ? { engine } : {}),
    };
  });
  const measured = rows.filter((row) => row.samples);
  for (const row of measured) {
    const base = suite.ratioTo(row, measured);
    // Times from which something was taken off may be noise around zero.
    if (!base || base === row || base.min <= 0 || row.min <= 0) continue;
    const within = base.case === row.case ? base.variant : base.case;
    const to = base.backend === row.backend ? within : base.backend;
    row.ratio = { to, ...pairedRatio(row.samples, base.samples) };
  }
  return rows;
}

/**
 * Runs a suite; `add(rows)` gets the rows of each case when it is done. A mismatch of results is
 * thrown; what can't run is a row that says why.
 */
export async function runSuite(suite, options) {
  const { form, budget, signal, progress, add } = options;
  const connections = [];
  const closeAll = () => connections.forEach((connection) => connection.close());
  signal.addEventListener('abort', closeAll);
  try {
    budget.nextSuite();
    progress(`${suite.name}: starting the back ends`);
    const opened = await openAll(suite, options, connections);
    add(opened.rows);
    let rowsLeft = opened.contestants.length;
    const groups = [...new Set(opened.contestants.map((contestant) => contestant.group))];
    for (const [i, name] of groups.entries()) {
      if (signal.aborted) break;
      const group = opened.contestants.filter((contestant) => contestant.group === name);
      progress(`${suite.name} ${name} (${i + 1} of ${groups.length}, ${group.length} rows)`);
      const row = Math.min(form.row, budget.row(rowsLeft));
      try {
        add(finishRows(suite, await sampleTogether(group, { ...form, row }, signal)));
      } catch (error) {
        const where = `${suite.name} ${name}`;
        if (error instanceof MismatchError) error.message = `${where}: ${error.message}`;
        throw error;
      }
      rowsLeft -= group.length;
    }
  } finally {
    signal.removeEventListener('abort', closeAll);
    closeAll();
  }
}
