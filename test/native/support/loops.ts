import { execa } from 'execa';

export interface Instruction {
  address: number;
  mnemonic: string;
  operands: string;
}

/** The functions of an object file by their C++ names, as objdump reads them. */
export async function functionsOf(objdump: string, path: string): Promise<Map<string, Instruction[]>> {
  const { stdout } = await execa(objdump, ['-d', '-C', '--no-show-raw-insn', path]);
  const functions = new Map<string, Instruction[]>();
  let current: Instruction[] = [];
  for (const line of stdout.split('\n')) {
    const name = /^[0-9a-f]+ <(.*)>:$/.exec(line)?.[1];
    if (name !== undefined) {
      current = [];
      functions.set(name, current);
    }
    const [, address, mnemonic, operands] = /^\s+([0-9a-f]+):\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    if (address === undefined || mnemonic === undefined) continue;
    current.push({ address: Number.parseInt(address, 16), mnemonic, operands: operands ?? '' });
  }
  return functions;
}

/**
 * The innermost loops: from the target of each jump backwards to the jump, without those that contain another.
 * Jumps name their target in hexadecimal: "jne    60 <...>", "b.ne 4c <...>", "cbnz x0, 4c <...>".
 */
export function innermostLoops(code: readonly Instruction[]): Instruction[][] {
  const loops = code.flatMap((jump, end) => {
    if (!/^(j|b\.|b$|cbn?z|tbn?z)/.test(jump.mnemonic)) return [];
    const target = Number.parseInt(/(?:^|, )(?:0x)?([0-9a-f]+) </.exec(jump.operands)?.[1] ?? 'none', 16);
    const start = code.findIndex((one) => one.address === target);
    return start >= 0 && start <= end ? [{ start, end }] : [];
  });
  return loops
    .filter((loop) => !loops.some((other) => other !== loop && other.start >= loop.start && other.end <= loop.end))
    .map(({ start, end }) => code.slice(start, end + 1));
}
