import { appendFile, copyFile, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { patchDriver } from '../../../coordinator/platform/db/driver/patch-driver.ts';
import type { Attack, Finding } from '../attack.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Gets code of its own to run through what is installed: a package with an install script, a changed driver, a changed agent. */
export const attack: Attack = {
  title: 'run code through an installed package, a changed driver or a changed agent',
  run: async ({ short }) => {
    const folder = await mkdtemp(join(tmpdir(), 'gpumark-supply-'));
    try {
      // The agent is a hundred megabytes, copied once and read twice.
      const agent = short ? [] : await changedAgent(folder);
      return [...(await installScript(folder)), await changedDriver(folder), ...agent];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Newer npm asks for this before it runs a script at all. */
const PLACE = JSON.stringify({ name: 'place', version: '1.0.0', allowScripts: { thief: true } });

/** With our .npmrc, and once without, which shows that the script would run. */
async function installScript(folder: string): Promise<Finding[]> {
  const thief = join(folder, 'thief');
  await mkdir(thief);
  const scripts = { postinstall: 'touch "$INIT_CWD/stolen"' };
  await writeFile(join(thief, 'package.json'), JSON.stringify({ name: 'thief', version: '1.0.0', scripts }));
  const ran = async (name: string, withOurs: boolean): Promise<boolean> => {
    const place = join(folder, name);
    await mkdir(place);
    await writeFile(join(place, 'package.json'), PLACE);
    if (withOurs) await copyFile(join(root, '.npmrc'), join(place, '.npmrc'));
    const npm = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', '--install-links', thief];
    await execa('npm', npm, { cwd: place, env: { NPM_CONFIG_CACHE: join(folder, 'cache') } });
    return isThere(join(place, 'stolen'));
  };
  const [bare, ours] = [await ran('bare', false), await ran('ours', true)];
  return [
    {
      tried: 'npm install of a package with a postinstall script, under .npmrc of this tree',
      answer: `${ours ? 'it ran' : 'it did not run'}; ${bare ? 'it runs' : 'it does not run either'} without`,
      held: !ours && bare,
    },
  ];
}

async function changedDriver(folder: string): Promise<Finding> {
  const copy = join(folder, 'postgres');
  await cp(join(root, 'node_modules', 'postgres'), copy, { recursive: true });
  await appendFile(join(copy, 'src', 'query.js'), '\n// one line more\n');
  const answer = await patchDriver(copy).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? 'refused' : String(error)),
  );
  return {
    tried: 'a Postgres driver that is neither the released nor the patched one',
    answer,
    held: answer === 'refused',
  };
}

/** What `sha256sum -c` says of an agent with one byte more; nothing is tried where no agent was built. */
async function changedAgent(folder: string): Promise<Finding[]> {
  const dist = join(root, 'dist');
  if (!(await isThere(join(dist, 'SHA256SUMS')))) return [];
  const copy = join(folder, 'dist');
  await cp(dist, copy, { recursive: true });
  const check = async () =>
    (await execa('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: copy, reject: false })).exitCode;
  const before = await check();
  await appendFile(join(copy, 'gpumark-agent'), 'x');
  const after = await check();
  return [
    {
      tried: 'dist/gpumark-agent with one byte more, by its SHA256SUMS',
      answer: `sha256sum --check: ${before} before, ${after} after`,
      held: before === 0 && after !== 0,
    },
  ];
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
