import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../agent/run/exit-error.ts';
import { carbonRefusals } from '../coordinator/ingest/carbon/carbon-connector.ts';
import { refusals } from '../coordinator/ingest/listing.ts';
import { tokenRefusals } from '../coordinator/ingest/tokens/token-connector.ts';
import { doubts, screens } from '../coordinator/market/segments.ts';
import { closureOf, filesUnder, importsOf, root, usesOf, withoutComments } from './support/source-files.ts';

const areas = new Set([
  'lifecycle',
  'jobs',
  'agent-protocol',
  'network',
  'market',
  'catalog',
  'carbon',
  'tokens',
  'prediction',
  'forward',
  'accounts',
]);

/** Without input or output: shared with the agent. */
const pure = new Set(['contract', 'figures']);

/** The import table of the design, one line per rule: what a file may import of ours. */
function mayImport(file: string, target: string): boolean {
  const from = placeOf(file);
  const to = placeOf(target);
  if (from.part === 'test') return true;
  if (from.part === 'agent') return to.part === 'agent' || pure.has(to.area);
  if (to.part !== 'coordinator') return false;
  if (from.area === 'contract') return to.area === 'contract';
  if (from.area === 'figures') return pure.has(to.area);
  if (from.area === 'platform') return to.area === 'platform' || to.area === 'contract';
  if (from.area === 'charts') return to.area === 'charts' || to.area === 'contract';
  if (pure.has(to.area) || to.area === 'platform' || to.area === from.area) return true;
  if (from.area === 'root') return true;
  if (from.area === 'commands') return to.area === 'root' || isVerb(target);
  if (from.area === 'reports' || from.area === 'portal') return to.area === 'charts' || isVerb(target);
  if (from.area === 'ingest') return ['market', 'catalog', 'carbon', 'tokens'].includes(to.area) && isVerb(target);
  // All areas change jobs and tasks by lifecycle's verbs; lifecycle itself knows no other area.
  if (from.area === 'lifecycle') return false;
  if (to.area === 'lifecycle') return isVerb(target);
  return areas.has(from.area) && areas.has(to.area) && isVerb(target);
}

const isVerb = (target: string): boolean => !/(^|\/)(queries(\/|\.ts$)|routes\.ts$)/.test(target);

function placeOf(path: string): { part: string; area: string } {
  const [part = '', second = ''] = path.split('/');
  return { part, area: second.endsWith('.ts') || second === '' ? 'root' : second };
}

const productFiles = [...filesUnder('agent'), ...filesUnder('coordinator')];
const productImports = productFiles.flatMap(importsOf);

test('every import between our files is one the design allows', () => {
  assert.ok(productImports.length > 100, 'the walk found the imports');
  const forbidden = productImports.filter(({ file, target, ours }) => ours && !mayImport(file, target));
  assert.deepEqual(
    forbidden.map(({ file, target }) => `${file} -> ${target}`),
    [],
  );
});

test('the folders of the agent, and those of all areas, import each other in one direction', () => {
  for (const [tree, depth] of [
    ['agent', 1],
    ['coordinator', 2],
  ] as const) {
    const uses = usesOf(tree, depth);
    assert.ok(uses.size > 5, 'the walk found the folders');
    // Those that use no folder left are taken away, again and again; what stays is a ring.
    for (let before = -1; before !== uses.size;) {
      before = uses.size;
      for (const [folder, used] of uses) if (![...used].some((other) => uses.has(other))) uses.delete(folder);
    }
    assert.deepEqual([...uses.keys()], [], tree);
  }
});

test('the contract depends on zod, its OpenAPI face and pure built-ins only', () => {
  const allowed = new Set(['zod', '@hono/zod-openapi', 'node:crypto', 'node:net']);
  const others = productImports.filter(
    ({ file, target, ours }) => file.startsWith('coordinator/contract/') && !ours && !allowed.has(target),
  );
  assert.deepEqual(others, []);
});

test('the agent reaches the contract without the HTTP framework', () => {
  const loaded = filesUnder('agent').flatMap((file) => closureOf(file));
  const web = loaded.filter(({ target }) => /^@?hono/.test(target));
  assert.deepEqual(web, []);
});

test('only main.ts reads the environment, the clock and the random source', () => {
  const reads =
    /\bprocess\.env\b|\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|import [^;]*\brandom(UUID|Bytes|Int)\b[^;]*from 'node:crypto'|crypto\.random/;
  const offenders = productFiles.filter((file) => !/(^|\/)main\.ts$/.test(file) && reads.test(withoutComments(file)));
  assert.deepEqual(offenders, []);
});

test('SQL stands only in queries files, migrations and the database platform', () => {
  // The driver's usual tags whatever follows, and any other tag in front of a statement.
  const statement =
    /\b(?:sql|tx|apart)(?:<[^`]*>)?`|\w(?:<[^`]*>)?`\s*(?:select|insert into|delete from|update \w+ set|with \w+ as)\b/i;
  const offenders = productFiles.filter(
    (file) =>
      file.startsWith('coordinator/') &&
      !file.startsWith('coordinator/platform/db/') &&
      !/(^|\/)queries(\.ts$|\/)/.test(file) &&
      statement.test(withoutComments(file)),
  );
  assert.deepEqual(offenders, []);
});

test('the one row of a query is taken by one() or maybeOne(), which refuse holes', () => {
  // `const [row] = await`, `const [[row], rows] = await` and `(await sql`...`)[0]`
  const taken = /\[\s*\w+\s*\](?:\s*:[^=;]+)?\s*=\s*await\b(?!\s+Promise)|\[\s*\[[^;=]*=\s*await\b|`\s*\)\s*\[\d\]/;
  const offenders = productFiles.filter((file) => file.startsWith('coordinator/') && taken.test(withoutComments(file)));
  assert.deepEqual(offenders, []);
});

test('queries open no transaction: that is for verbs', () => {
  const offenders = productFiles.filter(
    (file) => /(^|\/)queries(\.ts$|\/)/.test(file) && /\.begin\(/.test(withoutComments(file)),
  );
  assert.deepEqual(offenders, []);
});

/** A closed set of codes is a promise: who reads it prepares for each of them. */
const codes = {
  ErrorKind: unionIn('coordinator/platform/errors.ts', 'ErrorKind'),
  refusals: Object.keys(refusals),
  carbonRefusals: Object.keys(carbonRefusals),
  tokenRefusals: Object.keys(tokenRefusals),
  doubts: Object.keys(doubts),
  screens: Object.keys(screens),
  exitCodes: Object.keys(exitCodes),
  RunnerErrorCode: unionIn('agent/kernels/runner-error.ts', 'RunnerErrorCode'),
  OwnCode: unionIn('agent/links/plan-tools.ts', 'OwnCode'),
  MeetingCode: unionIn('agent/links/rdma/measure-slot.ts', 'MeetingCode'),
};

function unionIn(file: string, name: string): string[] {
  const [, members = ''] = new RegExp(`type ${name} =([^;]*);`).exec(withoutComments(file)) ?? [];
  return [...members.matchAll(/'([^']+)'/g)].map(([, member = '']) => member);
}

test('every code of a closed set is raised somewhere', () => {
  const sources = productFiles.map(withoutComments);
  const isRaised = (code: string): boolean => {
    // Neither a key of its table nor a member of its type.
    const raised = new RegExp(`(?<!\\| )'${code}'(?!:| \\|)|exitCodes\\.${code}\\b`);
    return sources.some((source) => raised.test(source));
  };
  const known = Object.entries(codes).map(([set, members]) => members.map((code) => `${set} ${code}`));
  assert.ok(
    known.every(({ length }) => length > 1),
    'each set was found',
  );
  assert.deepEqual(
    known.flat().filter((code) => !isRaised(code.replace(/^\w+ /, ''))),
    [],
  );
});

/** Others are for a reason that is said here. */
const TOP_LEVEL = new Set([
  'agent',
  'coordinator',
  'native',
  'containers',
  'test',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'Makefile',
  'README.md',
  // the licence, and what it asks to be named
  'LICENSE',
  'NOTICE',
  // its recipes do not fit into the 60 lines of README.md, and this is where an editor or a forge looks for them
  'CONTRIBUTING.md',
  // what is installed, built and kept
  'node_modules',
  'dist',
  'var',
]);

test('nothing but the five folders and what belongs to all of them stands at the top', () => {
  const others = readdirSync(root).filter((name) => !name.startsWith('.') && !TOP_LEVEL.has(name));
  assert.deepEqual(others, []);
});

test('a README is read at one sitting: 60 lines at most', () => {
  const folders = ['agent', 'coordinator', 'native', 'containers', 'test'];
  const readmes = ['README.md', ...folders.flatMap((folder) => filesUnder(folder, 'README.md'))];
  assert.ok(readmes.length > 30, 'the walk found them');
  const long = readmes.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 61);
  assert.deepEqual(long, []);
});

test('file names say what is inside', () => {
  const vague = [...productFiles, ...filesUnder('test')].filter((file) =>
    /(^|\/)(utils|helpers|types|index)\.ts$/.test(file),
  );
  assert.deepEqual(vague, []);
});

test('files stay under 250 lines', () => {
  const long = productFiles.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 251);
  assert.deepEqual(long, []);
});
