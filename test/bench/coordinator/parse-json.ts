import { parseJson } from '../../../coordinator/platform/http/check-body.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';

const BYTES = 1 << 20;
const ROUNDS = 15;
/** Minimum duration of a round; with shorter rounds of the fastest bodies, GC pauses outweigh the parsing. */
const ROUND_MS = 8;
/** Limits that refuse none of these bodies, so that both parsers are measured on all of them. */
const BOUNDS = { values: 1e9, entries: 1e9, text: 1e9 };
const utf8 = new TextDecoder('utf-8', { fatal: true });

const list = (item: string): string =>
  `[${Array.from({ length: Math.floor(BYTES / (item.length + 1)) }, () => item).join(',')}]`;
const record = '{"device":"GPU-0","index":12,"name":"NVIDIA H100 80GB HBM3","figure":123.456,"ok":true,"none":null}';

/** One MiB each: what agents send, and the worst cases for a careful parser. */
const bodies: Record<string, string> = {
  records: list(record),
  'records and one __proto__': `{"__proto__":1,"a":${list(record)}}`,
  'records and one long integer': `{"id":1847032911563124737,"a":${list(record)}}`,
  'records with long integers': list('{"device":"GPU-0","id":1847032911563124737,"name":"NVIDIA H100"}'),
  'integers of 16 digits': list('1234567890123456'),
  'integers of 19 digits': list('1847032911563124737'),
  'fractions of 17 digits': list('0.12345678901234567'),
  'digits alone': list('1'),
  'empty objects': list('{}'),
  'short texts': list('"ab"'),
  'long texts': list(`"${'x'.repeat(200)}"`),
  'escaped pairs': list(String.raw`"\ud83d\ude00"`),
  'white space': list(`${' '.repeat(100)}1`),
};

/** Our parse of bytes compared with JSON.parse of the same bytes, alternating. */
export const benchParseJson = (): BenchRow[] =>
  Object.entries(bodies).map(([name, text]) => {
    const bytes = Buffer.from(text);
    const ours: number[] = [];
    const native: number[] = [];
    const peerParse = () => JSON.parse(utf8.decode(bytes));
    const passes = Math.max(3, Math.ceil(ROUND_MS / timed(peerParse, 3)));
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(timed(() => parseJson(bytes, BOUNDS), passes));
      native.push(timed(peerParse, passes));
    }
    const [mine, peer] = [median(ours), median(native)];
    const note = `JSON.parse of the decoded bytes; 1 MiB, ${ROUNDS} rounds`;
    return { name, ours: mine, peer, ratio: mine / peer, unit: 'ms', target: { atMost: 1.5 }, note };
  });

function timed(act: () => unknown, passes: number): number {
  const began = performance.now();
  for (let pass = 0; pass < passes; pass += 1) act();
  return (performance.now() - began) / passes;
}
