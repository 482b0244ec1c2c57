import { execa } from 'execa';
import { programPath, whyWithout } from '../../support/debian-packages.ts';

/** The oldest LLVM whose objdump reads the code of an architecture. Debian 12 has 19, which reads all but gfx950's. */
const OLDEST_LLVM = 19;
const OLDEST_LLVM_OF_GFX950 = 20;

/** llvm-objdump for an image of ours, by its file name, or the sentence to skip with. As root, Debian's is installed. */
export async function findObjdump(image: string): Promise<{ objdump: string } | { missing: string }> {
  const oldest = image.includes('gfx950') ? OLDEST_LLVM_OF_GFX950 : OLDEST_LLVM;
  const found = () =>
    [22, 21, 20, 19].filter((version) => version >= oldest).find((version) => programPath(nameOf(version)) !== null);
  if (found() === undefined && oldest === OLDEST_LLVM) await whyWithout([nameOf(OLDEST_LLVM)], `llvm-${OLDEST_LLVM}`);
  const version = found();
  return version === undefined
    ? { missing: `needs llvm-objdump of LLVM ${oldest} or later: apt-get install llvm-${oldest}` }
    : { objdump: nameOf(version) };
}

const nameOf = (version: number): string => `llvm-objdump-${version}`;

/** Kernel -> its instructions, such as "global_load_dwordx4 v[8:11], v[6:7], off glc slc". */
export async function disassemble(objdump: string, path: string): Promise<Map<string, string[]>> {
  const { stdout } = await execa(objdump, ['-d', '--no-show-raw-insn', path]);
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
  return kernels;
}
