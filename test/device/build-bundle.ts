import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Writes dist/device-check.cjs: the whole check in one file, for a machine that has Node 22 or newer and the runner's
 * binary and nothing else. `node test/device/build-bundle.ts [FILE]`
 */
const root = join(import.meta.dirname, '..', '..');
const outfile = process.argv[2] ?? join(root, 'dist', 'device-check.cjs');

await build({
  entryPoints: [join(import.meta.dirname, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  banner: {
    js: "if (parseInt(process.versions.node) < 22) { console.error('device-check needs Node 22 or newer, this is ' + process.version); process.exit(2); }",
  },
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    GPUMARK_TORCH_PEER: JSON.stringify(readFileSync(join(import.meta.dirname, 'torch_peer.py'), 'utf8')),
    'import.meta.dirname': 'undefined',
  },
});
process.stdout.write(`${outfile}\n`);
