import { printBytes, printNumber } from './print-number.ts';

/** Members that other parts of the report print. */
const SAID_ELSEWHERE = new Set([
  'unit',
  'value',
  'reason',
  'engine',
  'benchmark',
  'fraction_of_spec_peak',
  'spec_peak_tflops',
]);
/** Members of a matrix product's record (it has `engines`) that the section on matrix products prints. */
const SAID_OF_PRODUCTS = new Set([
  'path',
  'algorithm',
  'engines',
  'engines_gap',
  'achieved_peak',
  'zeros_ratio',
  'zeros',
  'load',
  'burst',
  'clock_mhz_mean',
  'throttle',
  'heuristic_first_tflops',
  'settled',
  'drift',
  'power',
]);

/**
 * What a runner recorded about a figure, as one line: "2496 × 2496 × 2496; kernel avx2-6x16; threads 2". Members keep
 * their names, so that a reader can find them in the results; one level of nesting is printed in brackets.
 */
export function describeRecord(record: Record<string, unknown>): string {
  const { m, n, k } = record;
  const isMatrix = [m, n, k].every((side) => typeof side === 'number');
  const parts = isMatrix ? [`${String(m)} × ${String(n)} × ${String(k)}`] : [];
  for (const [name, value] of Object.entries(record)) {
    if (SAID_ELSEWHERE.has(name) || ('engines' in record && SAID_OF_PRODUCTS.has(name))) continue;
    if (isMatrix && ['m', 'n', 'k'].includes(name)) continue;
    const text = describeValue(name, value, true);
    if (text !== null) parts.push(text);
  }
  return parts.join('; ');
}

/** The sentence on how products are verified: the same for all of them, so it is printed once. */
export function verificationMethod({ verification }: Record<string, unknown>): string | null {
  if (verification === null || typeof verification !== 'object' || !('method' in verification)) return null;
  return typeof verification.method === 'string' ? verification.method : null;
}

const isMethodOfVerification = (name: string, member: string): boolean =>
  name === 'verification' && member === 'method';

const units: Record<string, string> = {
  seconds: 's',
  ghz: 'GHz',
  gbs: 'GB/s',
  us: 'µs',
  tflops: 'TFLOP/s',
  joules: 'J',
  wh: 'Wh',
  watts: 'W',
  celsius: '°C',
};

function describeValue(name: string, value: unknown, nested: boolean): string | null {
  const words = name.replaceAll('_', ' ');
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') {
    if (name.endsWith('_bytes') || name === 'bytes')
      return `${words.replace(/ ?bytes$/, '')} ${printBytes(value)}`.trim();
    const [, what = words, suffix = ''] =
      /^(.*?)_?(seconds|ghz|gbs|us|tflops|joules|wh|watts|celsius)$/.exec(name) ?? [];
    const number = Number.isInteger(value) ? String(value) : printNumber(value);
    return `${what.replaceAll('_', ' ')} ${number}${suffix && `\u00A0${units[suffix] ?? suffix}`}`.trim();
  }
  if (typeof value === 'boolean') return `${words}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'string') return `${words}: ${value}`;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return `${words}: ${value.join(', ')}`;
  if (Array.isArray(value)) return value.length > 0 ? `${words}: ${value.length} points` : null;
  if (!nested || typeof value !== 'object') return null;
  const inner = Object.entries(value).flatMap(([member, one]) =>
    isMethodOfVerification(name, member) ? [] : (describeValue(member, one, false) ?? []),
  );
  return inner.length > 0 ? `${words} (${inner.join(', ')})` : null;
}
