export interface ElfSection {
  name: string;
  type: number;
  data: Buffer;
}
export interface ElfSymbol {
  name: string;
  section: number;
  value: number;
  size: number;
  function: boolean;
}
export interface Elf {
  machine: number;
  flags: number;
  abi: number;
  abiVersion: number;
  sections: ElfSection[];
  symbols: ElfSymbol[];
}

const noBits = 8;
/** SHT_SYMTAB. Not .dynsym: ROCm does not look for kernels there. */
const symbolTable = 2;

/**
 * Header, sections and symbols of a 64-bit little-endian ELF file (elf(5)). Symbols are those of .symtab; throws on
 * other files.
 */
export function readElf(file: Buffer): Elf {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1) throw new Error('not a 64-bit ELF file');
  const table = Number(file.readBigUInt64LE(40));
  const headers = Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const header = file.subarray(table + 64 * index, table + 64 * index + 64);
    const [offset, size] = [Number(header.readBigUInt64LE(24)), Number(header.readBigUInt64LE(32))];
    const type = header.readUInt32LE(4);
    const data = type === noBits ? Buffer.alloc(0) : file.subarray(offset, offset + size);
    return { name: header.readUInt32LE(0), type, link: header.readUInt32LE(40), data };
  });
  const dataOf = (index: number): Buffer => headers[index]?.data ?? Buffer.alloc(0);
  const names = dataOf(file.readUInt16LE(62));
  return {
    machine: file.readUInt16LE(18),
    flags: file.readUInt32LE(48),
    abi: file.readUInt8(7),
    abiVersion: file.readUInt8(8),
    sections: headers.map(({ name, type, data }) => ({ name: textAt(names, name), type, data })),
    symbols: headers
      .filter((header) => header.type === symbolTable)
      .flatMap((header) => symbolsOf(header.data, dataOf(header.link))),
  };
}

/** The section of that name; throws if there is none. */
export function sectionOf(elf: Elf, name: string): Buffer {
  const found = elf.sections.find((section) => section.name === name);
  if (found === undefined) throw new Error(`no section ${name}`);
  return found.data;
}

function symbolsOf(data: Buffer, names: Buffer): ElfSymbol[] {
  return Array.from({ length: data.length / 24 }, (_, index) => {
    const entry = data.subarray(24 * index, 24 * index + 24);
    return {
      name: textAt(names, entry.readUInt32LE(0)),
      function: (entry.readUInt8(4) & 15) === 2,
      section: entry.readUInt16LE(6),
      value: Number(entry.readBigUInt64LE(8)),
      size: Number(entry.readBigUInt64LE(16)),
    };
  });
}

const textAt = (strings: Buffer, offset: number): string =>
  strings.toString('latin1', offset, strings.indexOf(0, offset));
