import { Big } from 'big.js';

/** How much of a price one of the source's units is: LiteLLM and OpenRouter count a token, the others a million. */
export const PER_TOKEN = 1_000_000;
export const PER_MILLION = 1;

/** Beyond it a per-token and a per-million price were mixed up: the dearest model so far asked 600. */
const MOST = new Big(100_000);
/** A plain or scientific decimal; none has more than 40 characters. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i;

export const BAD = Symbol('no amount');

/** USD per million tokens as exact decimal text; null: nothing is said; `BAD`: it is no amount in the range. */
export function usdPerMillion(said: unknown, unit: number): string | null | typeof BAD {
  if (said === undefined || said === null || said === '') return null;
  if (typeof said !== 'string' || !DECIMAL.test(said.trim())) return BAD;
  const price = new Big(said.trim()).times(unit);
  return price.lt(0) || price.gt(MOST) ? BAD : price.toFixed();
}
