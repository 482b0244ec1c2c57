import { median } from '../../../coordinator/figures/statistics.ts';

/** Something that measures once and returns its figures by name. */
export interface Contestant {
  name: string;
  measure: () => Promise<Record<string, number>>;
}

export interface Figures {
  /** in the order of the rounds */
  rounds: number[];
  median: number;
  /** lower and upper quartile */
  low: number;
  high: number;
}

/** Every contestant `rounds` times, in a different order each round, so that a drift of the machine favours none. */
export async function alternate(contestants: readonly Contestant[], rounds: number): Promise<Map<string, Figures>> {
  const figures = new Map<string, number[]>();
  // The first round is discarded: cold caches, sleeping cores.
  for (let round = 0; round <= rounds; round += 1) {
    for (let i = 0; i < contestants.length; i += 1) {
      const one = contestants[(i + round) % contestants.length];
      if (one === undefined) continue;
      const measured = await one.measure();
      if (round === 0) continue;
      for (const [name, value] of Object.entries(measured)) {
        const key = `${one.name} ${name}`;
        figures.set(key, [...(figures.get(key) ?? []), value]);
      }
    }
  }
  return new Map([...figures].map(([name, values]) => [name, figuresOf(values)]));
}

/** The median of ours over the peer's in the same round: what slows the machine for a minute slows both. */
export const ratioByRound = (ours: Figures, peer: Figures): number =>
  median(ours.rounds.map((value, round) => value / (peer.rounds[round] ?? Number.NaN)));

function figuresOf(values: number[]): Figures {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { rounds: values, median: median(values), low: at(0.25), high: at(0.75) };
}
