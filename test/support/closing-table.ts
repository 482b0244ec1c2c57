import { styleText } from 'node:util';

export interface ClosingRow {
  name: string;
  promise: string;
  passed: boolean;
  seconds: number;
}

/** One line a program: name, promise, passed or failed, minutes; after the head, for a person who reads only this. */
export function closingTable(rows: readonly ClosingRow[]): string {
  const width = (of: 'name' | 'promise'): number => Math.max(8, ...rows.map((row) => row[of].length));
  const line = (name: string, promise: string, result: string, minutes: string): string =>
    `${name.padEnd(width('name'))}  ${promise.padEnd(width('promise'))}  ${result}  ${minutes.padStart(7)}`;
  const sum = rows.reduce((total, { seconds }) => total + seconds, 0);
  const failed = rows.filter(({ passed }) => !passed).length;
  return [
    line('program', 'promise', 'result', 'minutes'),
    ...rows.map(({ name, promise, passed, seconds }) =>
      line(name, promise, styleText(passed ? 'green' : 'red', passed ? 'passed' : 'FAILED'), minutes(seconds)),
    ),
    line(`${rows.length} in all`, failed === 0 ? 'all passed' : `${failed} failed`, '      ', minutes(sum)),
  ].join('\n');
}

const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
