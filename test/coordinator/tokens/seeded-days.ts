import type { SeededModel } from './token-app.ts';

const dayOf = (first: string, at: number): string =>
  new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10);

/** The change of the pulse's schema, 2026-07-21, lies between. */
const FIRST = '2026-07-01';
export const LAST = '2026-08-10';
/** One model whose price and volume tell the day. */
export const everyDay = Array.from({ length: 41 }, (_, n): SeededModel => ({
  day: dayOf(FIRST, n),
  developer: 'anthropic',
  name: 'claude-x',
  contextLength: 200_000,
  book: [
    { source: 'bedrock', input: `3.${n + 10}`, output: '15' },
    { source: 'anthropic', type: 'model-lab', input: `3.${n + 10}00`, output: '15', cached: '0.3' },
  ],
  pulse: {
    volume: [`${n}.5`, `${n}.25`],
    average: [`3.${n + 10}`, '15'],
    median: ['3', '14.5'],
    isEstimated: n % 2 === 1,
  },
}));
/** Others, on the last day alone. */
export const ofLastDay = Array.from({ length: 24 }, (_, n): SeededModel => ({
  day: LAST,
  developer: 'openlab',
  name: `m${String(n).padStart(2, '0')}`,
  type: n % 2 === 0 ? 'open-weight' : 'open-source',
  ...(n === 3 ? { status: 'deprecated' } : {}),
  totalParam: String(n + 1),
  ...(n < 5 ? { activeParam: `${n}.5` } : {}),
  book: [{ source: n < 12 ? 'Together' : 'fireworks', input: `0.${n + 10}`, output: '0.9' }],
  ...(n < 3 ? { pulse: { volume: ['1', '2'], average: [`${3 - n}`, '1'], median: ['1', '1'] } } : {}),
}));
