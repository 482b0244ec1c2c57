import { createHash } from 'node:crypto';
import { filesUnder } from '../support/source-files.ts';
import { faultsOf, type Fault } from './find-faults.ts';

/** `count` faults that `seed` chooses, spread evenly over the areas of agent and coordinator; never two in one file. */
export function drawFaults(seed: string, count: number): Fault[] {
  const order = (text: string): string => createHash('sha256').update(`${seed}\0${text}`).digest('hex');
  const shuffled = <T>(items: readonly T[], name: (item: T) => string): T[] =>
    items
      .map((item) => ({ item, at: order(name(item)) }))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ item }) => item);
  const files = [...filesUnder('agent'), ...filesUnder('coordinator')];
  const areas = Map.groupBy(
    shuffled(files, (file) => file),
    (file) => file.split('/').slice(0, 2).join('/'),
  );
  const drawn: Fault[] = [];
  for (let found = true; found && drawn.length < count;) {
    found = false;
    for (const [area, left] of areas) {
      if (drawn.length === count) break;
      if (area.endsWith('.ts')) continue;
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        const [fault] = shuffled(faultsOf(file), ({ line, after }) => `${line} ${after}`);
        if (fault === undefined) continue;
        drawn.push(fault);
        found = true;
        break;
      }
    }
  }
  return drawn;
}
