// NVIDIA's machine code since sm_70: 16 bytes per instruction, the operation in its low 12 bits, of which the upper three say where the
// operands come from. NVIDIA documents the names only; the numbers here are what nvcc 13.0 makes of tiny kernels, and
// images-calibration.test.ts makes them again wherever there is an nvcc.

export interface SassInstruction {
  at: number;
  /** Bits 0-11, and 0-8 without the operand form. */
  opcode: number;
  operation: number;
  low: bigint;
  high: bigint;
}

export interface MemoryAccess {
  kind: 'load' | 'store';
  bits: number;
  /** Bits 76-83: how far the access reaches, see `access`. */
  access: number;
}

export const operation = {
  loadGlobal: 0x181,
  storeGlobal: 0x186,
  loadAny: 0x180,
  storeAny: 0x185,
  loadLocal: 0x183,
  storeLocal: 0x187,
  loadShared: 0x184,
  storeShared: 0x188,
  /** From global memory, past the registers. */
  copyToShared: 0x1ae,
  blockBarrier: 0x11d,
  branch: 0x147,
  fp32: 0x023,
  fp32Pair: 0x049,
  fp64: 0x02b,
  fp16Pair: 0x031,
  /** The same on the matrix engine's data path: ptxas alternates between the two on sm_80 and sm_90. */
  fp16PairOther: 0x035,
  none: 0x118,
} as const;

/** How ld.global.cg, and ld.relaxed.gpu, stand in bits 76-83: from the second-level cache on. */
export const pastFirstLevel = (sm: number): number => (sm < 80 ? 0xf4 : 0xef);

const widths = [8, 8, 16, 16, 32, 64, 128];

export function decode(code: Buffer): SassInstruction[] {
  return Array.from({ length: code.length / 16 }, (_, index) => {
    const at = 16 * index;
    const [low, high] = [code.readBigUInt64LE(at), code.readBigUInt64LE(at + 8)];
    return { at, opcode: Number(low & 0xfffn), operation: Number(low & 0x1ffn), low, high };
  });
}

/**
 * Accesses to global memory, including through generic addresses; their width is in bits 73-75. Arguments come from
 * constant memory.
 */
export function memoryAccesses(code: readonly SassInstruction[]): MemoryAccess[] {
  const loads = new Set<number>([operation.loadGlobal, operation.loadAny]);
  const stores = new Set<number>([operation.storeGlobal, operation.storeAny]);
  return code
    .filter((one) => loads.has(one.operation) || stores.has(one.operation))
    .map((one) => ({
      kind: loads.has(one.operation) ? 'load' : 'store',
      bits: widths[Number((one.high >> 9n) & 7n)] ?? 0,
      access: Number((one.high >> 12n) & 0xffn),
    }));
}

/** A multiply-add of fp32 whose three operands are in registers. */
export interface RegisterMultiplyAdd {
  sum: number;
  operands: readonly [number, number, number];
  /** Operands whose value stays with the adder, so that the next instruction has it without reading the register (maxas: "reuse"). */
  kept: readonly [boolean, boolean, boolean];
}

/** Undefined for any other instruction, multiply-adds with a constant among them. */
export function registerMultiplyAdd({ opcode, low, high }: SassInstruction): RegisterMultiplyAdd | undefined {
  if (opcode !== 0x223) return undefined;
  const byte = (word: bigint, at: bigint): number => Number((word >> at) & 0xffn);
  const keeps = (operand: bigint): boolean => ((high >> (58n + operand)) & 1n) === 1n;
  return {
    sum: byte(low, 16n),
    operands: [byte(low, 24n), byte(low, 32n), byte(high, 0n)],
    kept: [keeps(0n), keeps(1n), keeps(2n)],
  };
}

/** The bodies of the loops, each from the target of a jump back to the jump, as many as there are such jumps. */
export function loops(code: readonly SassInstruction[], sm: number): SassInstruction[][] {
  return code.flatMap((jump) => {
    if (jump.operation !== operation.branch) return [];
    const target = jump.at + 16 + distance(jump, sm);
    // A jump to itself is how code ends.
    return target < jump.at ? [code.filter((one) => one.at >= target && one.at <= jump.at)] : [];
  });
}

/** In bytes: a signed number of 4-byte steps in bits 34-81, of which sm_90 moved the low 8 to bits 16-23. */
function distance(jump: SassInstruction, sm: number): number {
  const upper = BigInt.asIntN(48, (jump.low >> 34n) | ((jump.high & 0x3ffffn) << 30n));
  return Number(sm < 90 ? upper * 4n : ((upper << 8n) | ((jump.low >> 16n) & 0xffn)) * 4n);
}
