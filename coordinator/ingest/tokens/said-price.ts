import type { SaidPrice, TokenRefusal } from './token-connector.ts';
import { usdPerMillion } from './usd-per-million.ts';

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
  const [ofInput, ofOutput] = [usdPerMillion(input, terms.unit), usdPerMillion(output, terms.unit)];
  if (ofInput === 'bad' || ofOutput === 'bad') return 'bad-price';
  if (ofInput === null && ofOutput === null) return 'no-price';
  const ofCached = usdPerMillion(cachedInput, terms.unit);
  return {
    input: ofInput,
    output: ofOutput,
    // One that cannot be is left away; the price of the rest stands.
    cachedInput: ofCached === 'bad' ? null : ofCached,
    validFrom: terms.validFrom ?? null,
    validTo: terms.validTo ?? null,
    raw: terms.raw,
  };
}
