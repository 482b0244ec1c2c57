import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** An nvidia-smi of the test's own, first in PATH until the test ends; `body` is its shell script. */
export function fakeNvidiaSmi(t: TestContext, body: string): void {
  fakePrograms(t, { 'nvidia-smi': body });
}

/** Programs of the test's own by name, first in PATH until the test ends, each a shell script. */
export function fakePrograms(t: TestContext, bodies: Record<string, string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-smi-'));
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before ?? ''}`;
  t.after(() => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  });
}
