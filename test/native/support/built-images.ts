import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCodeObject, type CodeObject } from './code-object.ts';
import { readCubin, type Cubin } from './cubin.ts';

export const nativeFolder = join(import.meta.dirname, '../../../native');
const folder = join(nativeFolder, 'images');

type Images<What> = ReadonlyMap<string, What>;

/** File name -> what it holds, of the images that the runner embeds: those of kernels.cu, or those of matrix/matrix.cu. */
function images<What>(set: 'portable' | 'matrix', ending: string, read: (file: Buffer) => What): Images<What> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted();
  const ofSet = names.filter((name) => name.startsWith('matrix-') === (set === 'matrix'));
  return new Map(ofSet.map((name) => [name, read(readFileSync(join(folder, name)))]));
}

export const cubins = images('portable', '.cubin', readCubin);
export const codeObjects = images('portable', '.hsaco', readCodeObject);
export const ptxFiles = images('portable', '.ptx', String);
export const matrixCubins: Images<Cubin> = images('matrix', '.cubin', readCubin);
export const matrixCodeObjects: Images<CodeObject> = images('matrix', '.hsaco', readCodeObject);
export const matrixPtxFiles = images('matrix', '.ptx', String);
export const pathOfImage = (name: string): string => join(folder, name);

/** The text of one kernel in PTX. */
export function ptxOf(text: string, kernel: string): string {
  const [, body] = new RegExp(`\\.entry ${kernel}\\(([\\s\\S]*?)\\n\\}`).exec(text) ?? [];
  if (body === undefined) throw new Error(`no entry ${kernel}`);
  return body;
}
