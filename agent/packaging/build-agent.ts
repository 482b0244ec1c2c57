import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { findInstallation } from '../cli/installation.ts';
import { writeBillOfMaterials } from './write-bill-of-materials.ts';

/**
 * V8's code cache depends on a random seed: with a fixed one, two builds of the same tree are identical. At run time
 * the program uses its own seed; `--hash-seed` here would make it reject the cache.
 */
const SAME_EACH_TIME = ['--random-seed=1'];

/**
 * Builds dist/gpumark-agent: one bundle of our sources and their packages, embedded with the native runner into a copy
 * of the Node that runs this script (Node's single-executable builder). Needs native/build/gpumark-runner. Also
 * writes a bill of materials (CycloneDX) and the hashes of both. `--arch=arm64` on x86-64: dist/arm64/gpumark-agent from the
 * runner and the Node of that architecture (`make arm64`).
 */
const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
const foreign = values.arch !== process.arch;
const root = join(import.meta.dirname, '..', '..');
const out = foreign ? join(root, 'dist', values.arch) : join(root, 'dist');
const work = join(out, '.agent');
const runner = join(root, 'native', 'build', foreign ? 'aarch64' : '', 'gpumark-runner');
const executable = join(out, 'gpumark-agent');

mkdirSync(work, { recursive: true });
const { version, revision } = findInstallation(join(root, 'agent'));
const runner_sha256 = sha256Of(runner);
await bundle({ version, revision: revisionWithChanges(revision), runner_sha256 });
// Without symbols Node starts just as fast and is a fifth smaller; if strip is missing or fails, the file is just larger.
const node = strippedNode(
  foreign ? join(out, 'tree', 'node_modules', `node-linux-${values.arch}`, 'bin', 'node') : process.execPath,
  join(work, 'node'),
);
writeFileSync(
  join(work, 'sea.json'),
  JSON.stringify({
    main: join(work, 'agent.cjs'),
    output: join(work, 'gpumark-agent'),
    executable: node,
    disableExperimentalSEAWarning: true,
    // The cache contains code for this processor.
    useCodeCache: !foreign,
    // NODE_OPTIONS set for other Node programs must not affect the agent.
    execArgvExtension: 'none',
    assets: { 'gpumark-runner': runner },
  }),
);
execFileSync(process.execPath, [...SAME_EACH_TIME, '--build-sea', join(work, 'sea.json')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
chmodSync(join(work, 'gpumark-agent'), 0o755);
renameSync(join(work, 'gpumark-agent'), executable);
rmSync(work, { recursive: true });
writeBillOfMaterials(root, join(out, 'gpumark-agent.cdx.json'));
writeChecksums(out, ['gpumark-agent', 'gpumark-agent.cdx.json']);
process.stdout.write(`${executable} ${version} (${revision})\n`);

async function bundle(facts: { version: string; revision: string; runner_sha256: string }): Promise<void> {
  await build({
    entryPoints: [join(root, 'agent', 'main.ts')],
    outfile: join(work, 'agent.cjs'),
    bundle: true,
    minify: true,
    // For function names in stack traces of bug reports.
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node26',
    legalComments: 'none',
    logLevel: 'warning',
    define: { GPUMARK_BUILD: JSON.stringify(facts), 'import.meta.dirname': 'undefined' },
  });
}

function strippedNode(whole: string, path: string): string {
  copyFileSync(whole, path);
  chmodSync(path, 0o755);
  try {
    execFileSync(foreign ? 'aarch64-linux-gnu-strip' : 'strip', [path], { stdio: 'ignore' });
    if (!foreign) execFileSync(path, ['--version'], { stdio: 'ignore' });
    return path;
  } catch {
    return whole;
  }
}

/** `+` marks a build from a tree with uncommitted changes. */
function revisionWithChanges(committed: string): string {
  try {
    const changes = execFileSync(
      'git',
      ['status', '--porcelain', '--', 'agent', 'native', 'coordinator/contract', 'coordinator/figures'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    return changes.trim() === '' ? committed : `${committed}+`;
  } catch {
    return committed;
  }
}

/** Writes SHA256SUMS in `folder`, in the format of `sha256sum -c`. */
function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
