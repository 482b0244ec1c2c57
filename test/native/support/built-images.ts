import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCodeObject, type CodeObject } from './code-object.ts';
import { readCubin, type Cubin } from './cubin.ts';

export const nativeFolder = join(import.meta.dirname, '../../../native');
const folder = join(nativeFolder, 'images');

const filesEnding = (ending: string): string[] => readdirSync(folder).filter((name) => name.endsWith(ending));

/** File name -> what it holds, of the images that the runner embeds. */
export const cubins: ReadonlyMap<string, Cubin> = new Map(
  filesEnding('.cubin').map((name) => [name, readCubin(readFileSync(join(folder, name)))]),
);
export const codeObjects: ReadonlyMap<string, CodeObject> = new Map(
  filesEnding('.hsaco').map((name) => [name, readCodeObject(readFileSync(join(folder, name)))]),
);
export const ptxFiles: ReadonlyMap<string, string> = new Map(
  filesEnding('.ptx').map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);
export const pathOfImage = (name: string): string => join(folder, name);

const header = readFileSync(join(nativeFolder, 'device/kernels.h'), 'utf8');

/** The names in GPUMARK_KERNELS. */
export const kernelNames: readonly string[] = [...header.matchAll(/^ {2}X\((\w+), /gm)].map((match) => match[1] ?? '');

/** A constant of kernels.h that is written as a number. */
export function constantOf(name: string): number {
  const value = Number(new RegExp(`constexpr \\w+ ${name} = (\\d+);`).exec(header)?.[1]);
  if (Number.isNaN(value)) throw new Error(`kernels.h has no number ${name}`);
  return value;
}

/** The text of one kernel in PTX. */
export function ptxOf(text: string, kernel: string): string {
  const [, body] = new RegExp(`\\.entry ${kernel}\\(([\\s\\S]*?)\\n\\}`).exec(text) ?? [];
  if (body === undefined) throw new Error(`no entry ${kernel}`);
  return body;
}
