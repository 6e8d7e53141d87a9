// The package as its users meet it: packed, installed in a clean folder, compiled, bundled, run.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { bestVariant } from './support/backends.mjs';
import { consumerTools, installedConsumer, root, run } from './support/consumer.mjs';
import { generateInto } from './support/plugin.mjs';

const { app, packed, remove } = installedConsumer();
after(remove);
const installed = join(app, 'node_modules/spicule');
const tools = consumerTools();
const skip = tools === undefined && 'SKIPPED: no tools';
const require = tools && createRequire(join(tools, 'package.json'));
const tool = async (name) => import(pathToFileURL(require.resolve(name)));

const EXPECTED = {
  variant: bestVariant,
  hash: '38682aa1cb5ae4e0a3f13da432a95c77c5c111f6f030faf9cad641ce1ed7383',
  blob: '142a2d54d67841d1ab00580036a6bb63e7ff8c1bc4ca5232628a9dde48bd55ae',
  sha256: [0xba, 0x78, 0x16, 0xbf],
  error: 'NOT_CANONICAL 1',
  codec: [
    '08ffffffffffffffffff011a050a0161100522040801100580972207', '1000000005', { case: 'points', value: 7 }, { a: [1, null] },
    { id: '18446744073709551615', lines: [{ item: 'a', count: -3 }], placed: '1970-01-01T00:00:01.000000005Z', points: 7 },
    '08ffffffffffffffffff01', 'TRUNCATED x',
  ],
  ssz: ['cbbc3178faf3851d5b4568cd822ddfb9ab8364b039a33ed9bb8a6d8e19c91089', 'OUT_OF_RANGE', true, 0],
};
const node = (file, ...flags) => run(process.execPath, [...flags, file], { cwd: app }).trim();
const checkResults = (text) => assert.deepEqual(JSON.parse(text), EXPECTED);

/** Runs a module in the consumer's folder. */
const evaluate = (program, ...flags) =>
  run(process.execPath, [...flags, '--input-type=module', '-e', program], { cwd: app }).trim();

test('the tarball has what is needed and no more, in less than 1 MB', () => {
  assert.ok(packed.size < 1_000_000, `${packed.size} bytes`);
  const files = packed.files.map(({ path }) => path);
  for (const path of ['LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/sponge.js',
    'dist/sha2.js', 'dist/native.js', 'dist/workerd/index.js', 'dist/wasm/sponge-simd.wasm']) {
    assert.ok(files.includes(path), path);
  }
  const strange = files.filter(
    (path) => !/^dist\/.*\.(js|d\.ts|wasm)$|^(package\.json|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md)$/.test(path),
  );
  assert.deepEqual(strange, []);
});

/** Files beside a Markdown text that it links to. */
const linked = (text) => [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path);

test('what the README links to comes with it', () => {
  const paths = linked(readFileSync(join(installed, 'README.md'), 'utf8'));
  assert.deepEqual([...paths].sort(), ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md']);
  for (const path of paths) assert.ok(existsSync(join(installed, path)), path);
});

test('the plugin is packed with its README and license', () => {
  const workspace = 'bindings/js/protoc-gen-spicule';
  const [{ files, size }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--dry-run', '-w', workspace], { cwd: root }),
  );
  const paths = files.map(({ path }) => path);
  for (const path of ['LICENSE', 'README.md', 'bin/protoc-gen-spicule.js', 'dist/plugin.js']) {
    assert.ok(paths.includes(path), path);
  }
  assert.ok(size < 60_000, `${size} bytes`);
  const license = (folder) => readFileSync(join(root, folder, 'LICENSE'), 'utf8');
  assert.equal(license(workspace), license('.'));
  assert.deepEqual(linked(readFileSync(join(root, workspace, 'README.md'), 'utf8')), []);
});

test('declarations are short', () => {
  for (const { path, size } of packed.files) {
    // Descriptors have some thirty messages.
    const most = path.endsWith('/descriptor_spc.d.ts') ? 150_000
      : path.endsWith('/descriptor_spc_writer.d.ts') ? 60_000 : 30_000;
    if (path.endsWith('.d.ts')) assert.ok(size < most, `${path}: ${size} bytes`);
  }
});

test('installing brings nothing else', () => {
  const names = readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(names, ['spicule']);
  assert.equal(existsSync(join(installed, 'node_modules')), false);
});

test('every file that an entry names exists, and types come first', () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    assert.equal(Object.keys(target)[0], 'types', entry);
    for (const pattern of Object.values(target)) {
      const path = pattern.replace('*', 'google/protobuf/timestamp_spc');
      assert.ok(existsSync(join(installed, path)), path);
    }
  }
});

test('the Wasm files are entries of their own', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    const url = import.meta.resolve('spicule/wasm/sha2-baseline.wasm');
    console.log(WebAssembly.validate(readFileSync(new URL(url))));`;
  assert.equal(evaluate(program), 'true');
});

test('where compiling is forbidden, a compiled module is given', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { load, loadSync } from 'spicule';
    import { hash, loadSync as loadSponge } from 'spicule/sponge';
    const compiled = (name) =>
      new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('spicule/wasm/' + name))));
    const modules = {
      sponge: compiled('sponge-simd.wasm'), sha2: compiled('sha2-simd.wasm'), ssz: compiled('ssz-simd.wasm'),
    };
    const forbid = () => { throw new WebAssembly.CompileError('forbidden'); };
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: forbid });
    WebAssembly.compile = forbid;
    try { hash([1n]); } catch (error) { console.log(error.code); }
    await load().catch((error) => console.log(error.code));
    const { sponge, ssz } = loadSync(modules);
    console.log(sponge === loadSponge(), hash([1n, 2n]).toString(16));
    console.log(ssz.uint64.hashTreeRoot(7n)[0]);`;
  const expected = `UNAVAILABLE\nUNAVAILABLE\ntrue ${EXPECTED.hash}\n7`;
  assert.equal(evaluate(program, '--conditions=workerd'), expected);
});

for (const version of ['5.4', 'newest']) {
  test(`a strict consumer compiles with TypeScript ${version}, and runs`, { skip }, () => {
    const folder = join(tools, `node_modules/typescript-${version}`);
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const compile = (config) => {
      const args = ['-p', config, '--typeRoots', join(tools, 'node_modules/@types')];
      run(process.execPath, [join(folder, bin.tsc), ...args], { cwd: app });
    };
    for (const config of ['tsconfig.json', 'tsconfig.browser.json', 'tsconfig.bare.json']) compile(config);
    checkResults(node('out/main.js'));
    assert.match(node('out/node.js'), /^UNAVAILABLE spicule\/native needs the package spicule-/);
  });
}

for (const format of ['iife', 'esm']) {
  test(`a build by esbuild as ${format} runs`, { skip }, async () => {
    const { build } = await tool('esbuild');
    const outfile = join(app, `built/esbuild-${format}.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const entryPoints = [join(app, 'src/main.ts')];
    const options = { bundle: true, minify: true, platform: 'browser', target: 'es2022' };
    await build({ entryPoints, outfile, format, ...options });
    checkResults(node(outfile));
  });
}

test('a bundle holds only the module of the job that it uses', { skip }, async () => {
  const { build } = await tool('esbuild');
  const size = async (contents, conditions = []) => {
    const stdin = { contents, resolveDir: app };
    const output = { bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error' };
    return (await build({ stdin, conditions, ...output })).outputFiles[0].contents.length;
  };
  const embedded = (job) =>
    readdirSync(join(installed, 'dist/wasm'))
      .filter((name) => name.startsWith(`${job}-`) && name.endsWith('.js'))
      .reduce((sum, name) => sum + readFileSync(join(installed, 'dist/wasm', name)).length, 0);
  const overhead = 30_000;
  const sha2 = await size(`import { sha256 } from 'spicule/sha2'; console.log(sha256);`);
  assert.ok(sha2 < embedded('sha2') + overhead, `${sha2}`);
  const sponge = await size(`import { hash } from 'spicule/sponge'; console.log(hash);`);
  assert.ok(sponge < embedded('sponge') + overhead, `${sponge}`);
  const error = await size(`import { SpiculeError } from 'spicule'; console.log(SpiculeError);`);
  assert.ok(error < overhead, `${error}`);
  const unused = await size(`import 'spicule'; import { hash } from 'spicule/sponge';`);
  assert.ok(unused < 100, `${unused}`);
  // ProtoJSON is there where something brings it along.
  const codec = `import { load, loadSchema } from 'spicule/codec'; import 'spicule/codec/generated';`;
  const without = await size(`${codec} load();`);
  assert.ok(without < embedded('codec') + 150_000, `${without}`);
  for (const more of [`import 'spicule/codec/json'; load();`, 'loadSchema(new Uint8Array(0));']) {
    const whole = await size(`${codec} ${more}`);
    assert.ok(whole > without + embedded('codec_json'), `${more}: ${whole}, ${without}`);
  }
  // What makes code at run time, too; classes for size bring along neither.
  const generated = async (folder, ...options) => {
    generateInto(join(app, folder), join(root, 'bindings/js/test/support/proto'), ['target=ts', 'json=false', ...options]);
    return size(`import { Order } from './${folder}/shop_spc.ts'; import { Timestamp } from 'spicule/codec/wkt/google/protobuf/timestamp_spc';
      console.log(Order.parse, Timestamp.parse);`);
  };
  const [fast, small] = [await generated('fast'), await generated('small', 'optimize_for=code_size')];
  assert.ok(small < fast - 16_000 && small > embedded('codec'), `${small}, ${fast}`);
  const given = await size(`import { hash } from 'spicule/sponge'; console.log(hash);`, ['workerd']);
  assert.ok(given < overhead, `${given}`);
});

test('a build by webpack runs', { skip }, async () => {
  const { default: webpack } = await tool('webpack');
  const compiler = webpack({
    mode: 'production', target: 'web', context: app,
    entry: join(app, 'out/main.js'),
    output: { path: join(app, 'built/webpack'), filename: 'main.cjs' },
    performance: { hints: false },
  });
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : resolve(result)));
  });
  assert.equal(stats.hasErrors(), false, stats.toString());
  checkResults(node('built/webpack/main.cjs'));
});

test('a build by Vite runs', { skip }, async () => {
  const { build } = await tool('vite');
  const lib = { entry: join(app, 'src/main.ts'), formats: ['es'], fileName: 'main' };
  await build({ root: app, logLevel: 'error', build: { lib, outDir: 'built/vite-lib' } });
  const [name] = readdirSync(join(app, 'built/vite-lib'));
  checkResults(node(join('built/vite-lib', name)));
});

test('the linters of packages find nothing', { skip }, async () => {
  const { publint } = await tool('publint');
  const { messages } = await publint({ pkgDir: installed, pack: false });
  assert.deepEqual(messages, []);
  const { checkPackage, createPackageFromTarballData } = await tool('@arethetypeswrong/core');
  const tarball = readFileSync(join(app, '..', packed.filename));
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  // CommonJS reaches an ES module by import(), and old resolution knows no entries: both by design.
  const unexpected = problems.filter(
    ({ kind, resolutionKind }) =>
      kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
  );
  assert.deepEqual(unexpected, []);
});

const CONTENT_TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves a folder until the test ends, under a content security policy; gives the address. */
async function served(t, folder, policy) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    response.setHeader('Content-Security-Policy', policy);
    if (pathname === '/empty') return response.setHeader('Content-Type', 'text/html').end('');
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('Content-Type', CONTENT_TYPES[extname(file)]).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${server.address().port}`;
}

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));

test('in Chromium: main thread, workers, no bundler, content security policy', {
  skip: skip || (executablePath === undefined && 'SKIPPED: no Chromium'),
}, async (t) => {
  const { build } = await tool('vite');
  const outDir = join(app, 'built/vite');
  await build({ root: app, logLevel: 'error', worker: { format: 'es' }, build: { outDir } });
  const { chromium } = (await tool('playwright-core')).default;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  const page = await browser.newPage();

  await page.goto(await served(t, outDir, `script-src 'self' 'wasm-unsafe-eval'`));
  const text = await page.locator('output:not(:empty)').textContent();
  const found = JSON.parse(text);
  assert.equal(found.length, 3);
  for (const results of found) {
    assert.ok(['relaxed', 'simd'].includes(results.variant));
    assert.deepEqual({ ...results, variant: bestVariant }, EXPECTED);
  }

  await page.goto(`${await served(t, installed, `script-src 'self' 'wasm-unsafe-eval'`)}/empty`);
  const unbundled = await page.evaluate(async () => {
    const { hash } = await import('/dist/sponge.js');
    const ssz = await import('/dist/ssz.js');
    await ssz.load();
    const list = ssz.list(ssz.uint64, 2 ** 40).toView([1, 2, 3]);
    list.set(1, 2n ** 64n - 1n);
    const proof = list.proof('[1]');
    return [hash([1n, 2n]).toString(16), String(list.get(1)), ssz.verifyProof(list.hashTreeRoot(), proof)];
  });
  assert.deepEqual(unbundled, [EXPECTED.hash, String(2n ** 64n - 1n), true]);

  await page.goto(`${await served(t, installed, `script-src 'self'`)}/empty`);
  const refusal = await page.evaluate(async () => {
    const { load } = await import('/dist/sponge.js');
    return load().catch(({ code }) => code);
  });
  assert.equal(refusal, 'UNAVAILABLE');
});
