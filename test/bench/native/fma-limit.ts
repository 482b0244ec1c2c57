/** What `own-slices fma` says first: "16 2 1 Zen 4", or "16 2 0 unknown core" if its table does not know the processor. */
export interface FmaGreeting {
  lanes: number;
  cores: number;
  /** Vector multiply-adds per cycle and core; null if unknown. */
  perCycle: number | null;
  core: string;
}

export function readFmaGreeting(greeting: string): FmaGreeting {
  const [, lanes, cores, perCycle, core = ''] = /^(\d+) (\d+) (\d+) (.+)$/.exec(greeting) ?? [];
  if (!(Number(lanes) > 0 && Number(cores) > 0)) throw new Error(`not the greeting of own-slices fma: ${greeting}`);
  return { lanes: Number(lanes), cores: Number(cores), perCycle: Number(perCycle) || null, core };
}

/** GFLOP/s of all cores at this clock, two operations per multiply-add and lane. */
export const issueLimit = (
  { lanes, cores, perCycle }: { lanes: number; cores: number; perCycle: number },
  ghz: number,
): number => lanes * 2 * perCycle * cores * ghz;
