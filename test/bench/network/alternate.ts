import { median } from '../bench-row.ts';

/** Something that measures once and gives its figures by name. */
export interface Contestant {
  name: string;
  measure: () => Promise<Record<string, number>>;
}

/** Every contestant `rounds` times, in another order each round, so that a drift of the machine favours nobody; medians by name. */
export async function alternate(contestants: readonly Contestant[], rounds: number): Promise<Map<string, number>> {
  const figures = new Map<string, number[]>();
  // the first round is thrown away: cold caches, sleeping cores
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
  return new Map([...figures].map(([name, values]) => [name, median(values)]));
}
