import assert from 'node:assert/strict';
import { execa } from 'execa';
import { join } from 'node:path';
import { test } from 'node:test';
import { nativeFolder } from '../support/built-images.ts';

/** One of each compiler, kind and set of kernels; all 35 take minutes and are built again by `make soak`. The first is the quickest. */
const sample = [
  'sm_60.ptx',
  'sm_75.cubin',
  'matrix-sm_75.cubin',
  'matrix-sm_75.ptx',
  'gfx90a.hsaco',
  'matrix-gfx1100.hsaco',
];

test(`building images again gives the same bytes: ${sample.join(', ')}`, async (t) => {
  const script = join(nativeFolder, 'device/check-images.sh');
  const { exitCode, stdout } = await execa(script, ['--rebuild'], { reject: false, env: { ONLY: sample.join(' ') } });
  // 3: what could be built is the same, and a compiler was missing for the others.
  if (exitCode === 3) return t.skip([...stdout.matchAll(/^NOT REBUILT: .*$/gm)].join('; '));
  assert.equal(exitCode, 0, stdout);
});
