import { Big } from 'big.js';
import type { SaidPrice, TokenRefusal } from './token-connector.ts';
import type { SourceFile } from '../connector.ts';
import { readJson } from '../reading/read-json.ts';

interface Amounts {
  input: unknown;
  output: unknown;
  cachedInput?: unknown;
}

interface Terms {
  unit: number;
  raw: Readonly<Record<string, unknown>>;
  validFrom?: string | null;
  validTo?: string | null;
}

/** The price as stored, or why it is refused. */
export function saidPrice({ input, output, cachedInput }: Amounts, terms: Terms): SaidPrice | TokenRefusal {
  const ofInput = usdPerMillion(input, terms.unit);
  const ofOutput = usdPerMillion(output, terms.unit);
  if (ofInput === BAD || ofOutput === BAD) return 'bad-price';
  if (ofInput === null && ofOutput === null) return 'no-price';
  const ofCached = usdPerMillion(cachedInput, terms.unit);
  return {
    input: ofInput,
    output: ofOutput,
    // An invalid cached price is dropped; the rest of the price is kept.
    cachedInput: ofCached === BAD ? null : ofCached,
    validFrom: terms.validFrom ?? null,
    validTo: terms.validTo ?? null,
    raw: terms.raw,
  };
}

/** The largest of these files is 1.6 MB. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * A JSON document in which every number is the text written in the file: 3e-07 stays as written and loses nothing to binary
 * floats.
 */
export const readExactJson = (file: Pick<SourceFile, 'name' | 'content'>): Promise<unknown> =>
  readJson(file, MOST_BYTES, asWritten);

const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

/** Factor from the source's unit to a million tokens: LiteLLM and OpenRouter price one token, the others a million. */
export const PER_TOKEN = 1_000_000;
export const PER_MILLION = 1;

/** Above this a per-token and a per-million price were mixed up: the most expensive model so far cost 600. */
const MOST = new Big(100_000);
/** A plain or scientific decimal of bounded length. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i;

const BAD = Symbol('no amount');

/** USD per million tokens as exact decimal text; null if not stated; `BAD` if it is not an amount from 0 to `MOST`. */
function usdPerMillion(said: unknown, unit: number): string | null | typeof BAD {
  if (said === undefined || said === null || said === '') return null;
  if (typeof said !== 'string' || !DECIMAL.test(said.trim())) return BAD;
  const price = new Big(said.trim()).times(unit);
  return price.lt(0) || price.gt(MOST) ? BAD : price.toFixed();
}
