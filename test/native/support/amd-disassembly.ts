import { execa } from 'execa';

/** llvm-objdump that knows gfx950, or null. */
export async function findObjdump(): Promise<string | null> {
  for (const name of ['llvm-objdump-22', 'llvm-objdump-21', 'llvm-objdump-20']) {
    if ((await execa('which', [name], { reject: false })).exitCode === 0) return name;
  }
  return null;
}

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
