import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** An nvidia-smi of the test's own, first in PATH until the test ends; `body` is its shell script. */
export function fakeNvidiaSmi(t: TestContext, body: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-smi-'));
  writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, 'nvidia-smi'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before ?? ''}`;
  t.after(() => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  });
}
