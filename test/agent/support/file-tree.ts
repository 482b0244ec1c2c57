import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { SystemFiles } from '../../../agent/inventory/system-files.ts';

/** A /sys, /proc and /etc of the test's own: path -> content. */
export function fileTree(t: TestContext, contents: Record<string, string>): SystemFiles {
  const root = mkdtempSync(join(tmpdir(), 'gpumark-files-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return new SystemFiles(root);
}
