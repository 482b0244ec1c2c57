import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Descriptor {
  digest: string;
  size: number;
}

const [layout = '', name = ''] = process.argv.slice(2);
const blob = (digest: string): unknown =>
  JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: Descriptor[] };
const manifest = index.manifests[0];
if (!manifest) throw new Error(`${layout} holds no image`);
const { config, layers } = blob(manifest.digest) as { config: Descriptor; layers: Descriptor[] };
const bytes = layers.reduce((sum, layer) => sum + layer.size, config.size);
process.stdout.write(`${manifest.digest}  ${name}  ${(bytes / 1e6).toFixed(1)} MB compressed\n`);
