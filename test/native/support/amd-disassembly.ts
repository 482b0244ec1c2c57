import { execa } from 'execa';
import { programPath, whyWithout } from '../../support/debian-packages.ts';

/** llvm-objdump for an image of ours: the program and its options. */
export type Objdump = readonly [string, ...string[]];

/** The oldest LLVM that reads the code of our architectures is Debian 12's 19. It does not know gfx950, which 20 does. */
const OLDEST = 19;
const OLDEST_OF_GFX950 = 20;

/**
 * Chosen by the image's file name; otherwise the reason to skip. As root, Debian's package is installed. LLVM 19 reads
 * gfx950 as gfx942, whose instructions it has with the same codes; what it has beyond them is unreadable, matrix
 * instructions above all.
 */
export async function findObjdump(image: string): Promise<{ objdump: Objdump } | { missing: string }> {
  if (newest() < OLDEST) await whyWithout([nameOf(OLDEST)], `llvm-${OLDEST}`);
  const version = newest();
  const oldest = image.startsWith('matrix-gfx950') ? OLDEST_OF_GFX950 : OLDEST;
  if (version < oldest)
    return { missing: `needs llvm-objdump of LLVM ${oldest} or later: apt-get install llvm-${oldest}` };
  const isUnknown = image.includes('gfx950') && version < OLDEST_OF_GFX950;
  return { objdump: isUnknown ? [nameOf(version), '--mcpu=gfx942'] : [nameOf(version)] };
}

const newest = (): number => [22, 21, 20, 19].find((version) => programPath(nameOf(version)) !== null) ?? 0;
const nameOf = (version: number): string => `llvm-objdump-${version}`;

/**
 * Kernel -> its instructions, such as "global_load_dwordx4 v[8:11], v[6:7], off glc slc". A kernel with an unreadable instruction is left
 * out.
 */
export async function disassemble([program, ...options]: Objdump, path: string): Promise<Map<string, string[]>> {
  const { stdout } = await execa(program, [...options, '-d', '--no-show-raw-insn', path]);
  const kernels = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of stdout.split('\n')) {
    const [, label] = /^[0-9a-f]+ <(\w+)>:$/.exec(line) ?? [];
    if (label !== undefined) {
      current = [];
      kernels.set(label, current);
    } else if (line.startsWith('\t')) {
      current.push(line.replace(/\/\/.*$/, '').trim());
    }
  }
  const isReadable = (code: string[]): boolean => !code.some((line) => line.startsWith('.long'));
  return new Map([...kernels].filter(([, code]) => isReadable(code)));
}
