import { readElf, sectionOf, type Elf } from './elf.ts';
import { decode, type SassInstruction } from './sass.ts';

export interface Cubin {
  elf: Elf;
  /** 75 for sm_75. */
  sm: number;
  /** Names of the kernels, in the order of the file. */
  kernels: string[];
  codeOf: (kernel: string) => SassInstruction[];
  /** Bytes of stack per kernel and function: spilled registers stand there, and nothing else in kernels without arrays. */
  frames: Map<string, number>;
}

const machineCuda = 190;
const abiOfCuda13 = 8;

/** A cubin as nvcc 13 writes it: ELF ABI version 8, whose e_flags hold the architecture in bits 8-15. Throws on others. */
export function readCubin(file: Buffer): Cubin {
  const elf = readElf(file);
  if (elf.machine !== machineCuda || elf.abiVersion !== abiOfCuda13) {
    throw new Error(`machine ${elf.machine}, ABI version ${elf.abiVersion}: not a cubin of CUDA 13`);
  }
  const kernels = elf.sections.flatMap(({ name }) => (name.startsWith('.text.') ? [name.slice('.text.'.length)] : []));
  return {
    elf,
    sm: (elf.flags >> 8) & 0xff,
    kernels,
    codeOf: (kernel) => decode(sectionOf(elf, `.text.${kernel}`)),
    frames: framesOf(elf),
  };
}

const frameSize = 0x11;
const sizedValue = 4;

/** Attributes of .nv.info: format, attribute, then a 16-bit value or the size of what follows; a frame size is {symbol, bytes}. */
function framesOf(elf: Elf): Map<string, number> {
  const info = sectionOf(elf, '.nv.info');
  const frames = new Map<string, number>();
  for (let at = 0; at < info.length;) {
    const [format, attribute, value] = [info.readUInt8(at), info.readUInt8(at + 1), info.readUInt16LE(at + 2)];
    at += 4;
    if (format !== sizedValue) continue;
    if (attribute === frameSize) {
      frames.set(elf.symbols[info.readUInt32LE(at)]?.name ?? '?', info.readUInt32LE(at + 4));
    }
    at += value;
  }
  return frames;
}
