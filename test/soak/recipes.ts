import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { copyOfTree, follow, stepsOf } from '../support/recipe.ts';

/** Follows all four recipes of CONTRIBUTING.md to the end in one copy of the tree, then checks its types. */
const folder = mkdtempSync(join(tmpdir(), 'gpumark-recipes-'));
const tree = join(folder, 'tree');
try {
  await copyOfTree(tree);
  const printed: Record<string, string[]> = {};
  for (const recipe of ['An operation', 'A connector', 'A benchmark', 'A vendor']) {
    const outputs = await follow(tree, stepsOf(recipe));
    printed[recipe] = outputs.map((output) => output.trimEnd().split('\n').slice(-2).join('\n'));
    process.stdout.write(`${recipe}:\n${printed[recipe].join('\n')}\n`);
  }
  await execa('node_modules/.bin/tsc', ['--noEmit', '-p', '.'], { cwd: tree, stdout: 'inherit', stderr: 'inherit' });
  process.stdout.write(`${JSON.stringify({ printed })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
