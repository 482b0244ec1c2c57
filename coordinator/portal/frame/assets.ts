import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { acceptsCoding } from '../../platform/http/field-values.ts';

/** A file whose content at its path never changes, because the path contains the content's hash. */
interface Asset {
  url: string;
  type: string;
  content: Buffer;
  brotli: Buffer;
}

const styles = ['tokens', 'base', 'frame', 'controls', 'tables', 'run', 'charts', 'media'];
const scripts = ['portal', 'live'];

/** Files that the Slurm and Kubernetes commands which start a job expect in the working directory. */
const launchFiles = ['containers/slurm/gpumark.sbatch', 'containers/kubernetes/benchmark-job.yaml'];

let loaded: Map<string, Asset> | undefined;

/** Read and compressed when the first page is served. */
function assets(): Map<string, Asset> {
  loaded ??= new Map([
    [
      'portal.css',
      asset(
        'portal.css',
        'text/css',
        styles.map((name) => read(`styles/${name}.css`)),
      ),
    ],
    ...scripts.map((name): [string, Asset] => [
      `${name}.js`,
      asset(`${name}.js`, 'text/javascript', [read(`scripts/${name}.js`)]),
    ]),
    ['sample-page.png', asset('sample-page.png', 'image/png', [read('styles/sample-page.png')])],
    ['icon.svg', asset('icon.svg', 'image/svg+xml', [read('styles/icon.svg')])],
    ...launchFiles.map((path): [string, Asset] => [
      basename(path),
      asset(basename(path), 'text/plain', [read(`../../${path}`)]),
    ]),
  ]);
  return loaded;
}

const read = (name: string): Buffer => readFileSync(new URL(`../${name}`, import.meta.url));

function asset(name: string, type: string, parts: Buffer[]): Asset {
  const content = Buffer.concat(parts);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    url: `/assets/${hash}/${name}`,
    type: type === 'image/png' ? type : `${type}; charset=utf-8`,
    content,
    brotli: brotliCompressSync(content),
  };
}

export function assetUrl(name: string): string {
  const found = assets().get(name);
  if (!found) throw new Error(`the portal has no asset ${name}`);
  return found.url;
}

/** null: no such file, or the hash does not match. */
export function serveAsset(path: string, acceptEncoding: string | undefined): Response | null {
  const found = assets().get(path.split('/').at(-1) ?? '');
  if (found?.url !== path) return null;
  const packed = acceptsCoding(acceptEncoding, 'br');
  return new Response(new Uint8Array(packed ? found.brotli : found.content), {
    headers: {
      'Content-Type': found.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(packed && { 'Content-Encoding': 'br' }),
    },
  });
}
