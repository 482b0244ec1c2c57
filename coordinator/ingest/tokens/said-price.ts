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

/** A price as it is kept, or why it is not. */
export function saidPrice({ input, output, cachedInput }: Amounts, terms: Terms): SaidPrice | TokenRefusal {
  const ofInput = usdPerMillion(input, terms.unit);
  const ofOutput = usdPerMillion(output, terms.unit);
  if (ofInput === BAD || ofOutput === BAD) return 'bad-price';
  if (ofInput === null && ofOutput === null) return 'no-price';
  const ofCached = usdPerMillion(cachedInput, terms.unit);
  return {
    input: ofInput,
    output: ofOutput,
    // One that cannot be is left away; the price of the rest stands.
    cachedInput: ofCached === BAD ? null : ofCached,
    validFrom: terms.validFrom ?? null,
    validTo: terms.validTo ?? null,
    raw: terms.raw,
  };
}

/** The largest of these files has 1.6 MB. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * A JSON document in which every number is the text that stands in the file: 3e-07 stays what was written and loses nothing
 * on its way through binary floats.
 */
export const readExactJson = (file: Pick<SourceFile, 'name' | 'content'>): Promise<unknown> =>
  readJson(file, MOST_BYTES, asWritten);

const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

/** How much of a price one of the source's units is: LiteLLM and OpenRouter count a token, the others a million. */
export const PER_TOKEN = 1_000_000;
export const PER_MILLION = 1;

/** Beyond it a per-token and a per-million price were mixed up: the dearest model so far asked 600. */
const MOST = new Big(100_000);
/** A plain or scientific decimal; none has more than 40 characters. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i;

const BAD = Symbol('no amount');

/** USD per million tokens as exact decimal text; null: nothing is said; `BAD`: it is not an amount in the range. */
function usdPerMillion(said: unknown, unit: number): string | null | typeof BAD {
  if (said === undefined || said === null || said === '') return null;
  if (typeof said !== 'string' || !DECIMAL.test(said.trim())) return BAD;
  const price = new Big(said.trim()).times(unit);
  return price.lt(0) || price.gt(MOST) ? BAD : price.toFixed();
}
