import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type * as Client from './support/client.ts';
import type * as App from './support/app.ts';
import type * as RunProgram from './support/run-program.ts';
import type * as WithMarket from '../coordinator/commands/open-platform.ts';
import { execa } from 'execa';
import { copyOfTree, follow, isBuild, stepsOf } from './support/recipe.ts';

// The recipes of CONTRIBUTING.md, followed in a copy: every block goes where the sentence before it says. What builds the
// runner takes a minute and is left to `make soak ONLY=recipes`.
const folder = mkdtempSync(join(tmpdir(), 'gpumark-recipes-'));
const tree = join(folder, 'tree');
after(() => rmSync(folder, { recursive: true, force: true }));
before(() => copyOfTree(tree));

const textOf = (file: string): string => readFileSync(join(tree, file), 'utf8');

/** A module of the copy; `typeof import` says what it exports. */
const load = async <T>(file: string): Promise<T> => (await import(join(tree, file))) as T;

test('operation and connector: a price list goes in by the command, and the new path answers', async (t) => {
  await follow(tree, stepsOf('An operation'));
  assert.match(textOf('test/golden/openapi.json'), /"operationId": "gpu_manufacturers"/);
  assert.match(textOf('test/golden/scopes.txt'), /^GET \/api\/gpu-navigator\/manufacturers\n {4}nobody: 401\n/m);

  const [tested = ''] = await follow(tree, stepsOf('A connector'));
  assert.match(tested, /the price of a machine is shared by its GPUs/);
  assert.match(tested, /acme-cloud: a login page instead of the file is refused whole/);

  const { fillMarket } = await load<typeof WithMarket>('coordinator/commands/open-platform.ts');
  const { testApp } = await load<typeof App>('test/support/app.ts');
  const { call, makeUser } = await load<typeof Client>('test/support/client.ts');
  const { run } = await load<typeof RunProgram>('test/support/run-program.ts');
  const app = await testApp(t);
  await fillMarket(app.context);
  const prices = join(tree, 'test/coordinator/ingest/fixtures/acme-cloud.csv');
  const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
  const ingested = await run(['ingest', 'acme-cloud', prices, '--as-of', '2026-05-08'], environment);
  assert.match(
    ingested.stdout,
    /2 read, 1 kept \(2026-05-08\)\n +1 refused: [^\n]*\(bad-price; first in row 2: price call us\)/,
    ingested.stderr,
  );

  const { authorization } = await makeUser(app);
  const { status, body } = await call(app, 'GET', '/api/gpu-navigator/manufacturers', { headers: authorization });
  assert.equal(status, 200);
  const counts = manufacturersIn(textOf('coordinator/catalog/products.csv'));
  assert.deepEqual((body as { data: unknown }).data, counts);
});

test('benchmark and vendor: what the recipes write compiles, and without a backend’s row it does not', async () => {
  for (const recipe of ['A benchmark', 'A vendor'])
    await follow(
      tree,
      stepsOf(recipe).filter((step) => !isBuild(step)),
    );
  const written = ['cpu/benchmarks/yield', 'backends/cpu-backend', 'gpu/gpu-session'];
  const vendors = ['gpu/vendor', 'gpu/vendors/acme', 'gpu/vendors/acme-driver'];
  assert.equal(await complaint([...written, ...vendors].map((name) => `src/${name}.cpp`)), '');

  const session = 'native/src/gpu/gpu-session.cpp';
  const without = textOf(session).replace(/^ *\{"yield",.*\n/m, '');
  assert.notEqual(without, textOf(session));
  writeFileSync(join(tree, session), without);
  assert.match(await complaint(['src/gpu/gpu-session.cpp']), /static assertion failed: each benchmark of the registry/);
});

/** What g++ says of files of the runner, with the warnings of the build as errors. */
async function complaint(files: string[]): Promise<string> {
  const warnings = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror'];
  const args = ['-std=c++17', ...warnings, '-fsyntax-only', '-Isrc', '-Idevice', ...files];
  const { stderr } = await execa('g++', args, { cwd: join(tree, 'native'), reject: false });
  return stderr;
}

/** The sixth cell of each row; none before it is quoted. */
function manufacturersIn(products: string): { manufacturer: string; accelerators: number }[] {
  const cells = products
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[5] ?? '');
  return [...new Set(cells)].toSorted().map((manufacturer) => ({
    manufacturer,
    accelerators: cells.filter((cell) => cell === manufacturer).length,
  }));
}
