/** The network that simulated agents report of: who reaches whom, and how fast. Nodes by seat. */
export interface Fabric {
  /** a dial from one to the other works */
  reaches: (from: number, to: number) => boolean;
  /** Gb/s from one to the other; `attempt` 1 is with others, 2 and 3 alone */
  gbps: (from: number, to: number, attempt: number) => number;
  /** median round trip in microseconds */
  rttUs: (a: number, b: number) => number;
  /** the node gets this slot too late to begin it */
  misses: (node: number, slot: string) => boolean;
  /** seats whose agent was stopped; their partners wait in vain */
  dead: Set<number>;
}

/** Everybody reaches everybody; rates differ by up to 2 %, the same way every time. */
export const healthyFabric = (faults: Partial<Omit<Fabric, 'dead'>> = {}): Fabric => ({
  reaches: () => true,
  gbps: (from, to) => 10 * (1 - 0.02 * spread(from, to)),
  rttUs: (a, b) => 40 + 2 * spread(Math.min(a, b), Math.max(a, b)),
  misses: () => false,
  dead: new Set(),
  ...faults,
});

/** 0 to 1, fixed for a pair. */
const spread = (a: number, b: number): number => ((a * 7919 + b * 104_729) % 1000) / 1000;
