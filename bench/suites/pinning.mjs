// Where a client and its server run, on Linux: by taskset, from outside, so that neither has to
// know of it. The server of a back end is a child of the process that made it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function allowedCpus() {
  const list = readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list:\s*(.*)$/m)[1];
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

// Read before anything is pinned.
const cpus = process.platform === 'linux' ? allowedCpus() : [];

const LAYOUTS = {
  'pinned-apart': { client: [cpus[0]], server: [cpus[1]] },
  'pinned-together': { client: [cpus[0]], server: [cpus[0]] },
  unpinned: { client: cpus, server: cpus },
};

export const layouts = Object.keys(LAYOUTS);

/** Why a layout is not to be had here, or undefined. */
export function layoutReason(layout) {
  if (layout === 'pinned-apart' && cpus.length === 1) return 'this process may use one CPU only';
  if (spawnSync('taskset', ['--version']).status !== 0) return 'there is no taskset';
  return undefined;
}

function pin(pid, list) {
  const { status, stderr } = spawnSync('taskset', ['-acp', list.join(','), String(pid)],
    { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

/** Puts this process, and the servers that it has started, where the layout says. */
export function applyLayout(layout) {
  const { client, server } = LAYOUTS[layout];
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  for (const pid of children.split(' ').filter(Boolean)) pin(pid, server);
  pin(process.pid, client);
}
