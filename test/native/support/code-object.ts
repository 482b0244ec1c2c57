import { readElf, sectionOf, type Elf } from './elf.ts';
import { readMessagePack, type MessagePackValue } from './message-pack.ts';

export interface CodeObject {
  elf: Elf;
  /** EF_AMDGPU_MACH, the low byte of e_flags. */
  mach: number;
  kernels: string[];
  /** The metadata of each kernel, such as ".vgpr_spill_count". */
  metadata: Map<string, Map<string, MessagePackValue>>;
}

const machineAmdGpu = 224;

/** An AMD code object (AMDGPUUsage of LLVM, code object version 3 and later). Throws on others. */
export function readCodeObject(file: Buffer): CodeObject {
  const elf = readElf(file);
  if (elf.machine !== machineAmdGpu) throw new Error(`machine ${elf.machine}: not an AMD code object`);
  const note = sectionOf(elf, '.note');
  // Elf64_Nhdr: sizes of name and description, type; the name is padded to 4 bytes.
  const start = 12 + ((note.readUInt32LE(0) + 3) & ~3);
  const root = readMessagePack(note.subarray(start, start + note.readUInt32LE(4)));
  const list = root instanceof Map ? root.get('amdhsa.kernels') : null;
  if (!Array.isArray(list)) throw new Error('no amdhsa.kernels in the note');
  const metadata = new Map(
    list.flatMap((entry) => {
      const name = entry instanceof Map ? entry.get('.name') : null;
      return entry instanceof Map && typeof name === 'string' ? [[name, entry] as const] : [];
    }),
  );
  // A kernel is a function and its descriptor, NAME.kd.
  const descriptors = new Set(elf.symbols.map((symbol) => symbol.name));
  const kernels = elf.symbols.filter((symbol) => symbol.function && descriptors.has(`${symbol.name}.kd`));
  return { elf, mach: elf.flags & 0xff, kernels: kernels.map((symbol) => symbol.name), metadata };
}
