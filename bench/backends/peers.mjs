// Other implementations. Their packages are installed from bench/peers, which has its own lock
// file, so that none of them ever enters the dependency tree of the product.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/environment.mjs';
import { NATIVE_PEERS, nativePeer } from '../peers/native.mjs';

const folder = join(root, 'bench/peers');
const here = (file) => new URL(`../peers/${file}`, import.meta.url).href;

const PEERS = [
  ...['wasm', 'shm-sync', 'shm-async', 'uds'].map((variant) => ({
    name: `peer:bb.js-${variant}`,
    suites: ['sponge', 'startup', 'kernels'],
    module: here('bb.mjs'),
  })),
  {
    name: 'peer:zkpassport-poseidon2',
    // Ten times as slow: the sponge suite would take minutes for what one row tells.
    suites: ['startup', 'kernels'],
    module: here('zkpassport.mjs'),
  },
  ...['native', 'wasm', 'default'].map((hasher) => ({
    name: `peer:chainsafe-ssz-${hasher}`,
    suites: ['ssz'],
    module: here('chainsafe-ssz.mjs'),
  })),
  ...['protobufjs-7', 'protobufjs-7-numbers', 'protobufjs-7-runtime', 'protobufjs-7-runtime-numbers',
    'protobufjs-8', 'protobufjs-8-numbers', 'protobufjs-8-runtime', 'protobufjs-8-runtime-numbers',
    'protobuf-es', 'protobuf-es-runtime', 'google-protobuf', 'pbf', 'pbf-runtime', 'ts-proto',
    'protobuf-ts', 'protobuf-ts-bigint'].map((library) => ({
    name: `peer:${library}`,
    suites: ['codec'],
    module: here('protobuf.mjs'),
  })),
  { name: 'peer:as-sha256', suites: ['kernels'], module: here('sha256.mjs') },
  { name: 'peer:hashtree', suites: ['kernels'], module: here('sha256.mjs') },
  { name: 'peer:noble-hashes', suites: ['kernels'], module: here('sha256.mjs') },
  { name: 'peer:node-crypto', suites: ['kernels'], module: here('sha256.mjs') },
];

export const peerNames = [...PEERS.map(({ name }) => name), ...Object.keys(NATIVE_PEERS)];

/** Installs the peers' packages unless they are there; gives the reason where that fails. */
function install() {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.package-lock.json');
  const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  if (current) return undefined;
  // Install scripts are not run: no peer needs one, and one would build with what is at hand.
  const result = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status === 0) return undefined;
  const lines = (result.stderr ?? '').split('\n').filter((line) => /npm error/.test(line));
  return `npm ci in bench/peers failed: ${lines[0] ?? result.error?.message ?? 'no message'}`;
}

/** The peers of those names, ready to run or with the reason why not. */
export function peerBackends(names) {
  const chosen = PEERS.filter(({ name }) => names.includes(name));
  const needsPackages = chosen.some(({ name }) => name !== 'peer:node-crypto');
  const reason = needsPackages ? install() : undefined;
  return [
    ...chosen.map((peer) =>
      (reason && peer.name !== 'peer:node-crypto' ? { ...peer, reason } : peer)),
    ...names.filter((name) => NATIVE_PEERS[name]).map(nativePeer),
  ];
}
