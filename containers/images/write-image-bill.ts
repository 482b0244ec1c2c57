import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeBillOfMaterials, type Component } from '../../agent/packaging/write-bill-of-materials.ts';
import { loadedFiles } from './loaded-files.ts';

/** `write-image-bill.ts agent|coordinator DEBS FILE TREE ARCH`: packages of the lock file and of Debian that stand in the image. */
const [image = '', debs = '', file = '', tree = '.', arch = process.arch] = process.argv.slice(2);
const root = resolve(tree);
/** The agent's has no shell; the rest both have. */
const absent = image === 'agent' ? ['dash'] : [];

const debian = readdirSync(debs)
  .filter((name) => name.endsWith('.deb') && !absent.some((missing) => name.startsWith(`${missing}_`)))
  .toSorted()
  .map((name) => describeDeb(join(debs, name)));
const packages = await packagesLoaded(image === 'agent' ? 'agent' : 'coordinator');
writeBillOfMaterials(root, file, { keep: (name) => packages.has(name), extra: debian });

/** Name of each package that the program loads, and Node, which runs it. */
async function packagesLoaded(program: 'agent' | 'coordinator'): Promise<Set<string>> {
  const { packages } = await loadedFiles(root, program, arch);
  const names = packages.map((folder) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length));
  return new Set([...names, `node-linux-${arch}`]);
}

function describeDeb(path: string): Component {
  const field = (name: string) => execFileSync('dpkg-deb', ['--field', path, name], { encoding: 'utf8' }).trim();
  const [name, version, architecture] = [field('Package'), field('Version'), field('Architecture')];
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { 'bom-ref': purl, type: 'library', name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] };
}
