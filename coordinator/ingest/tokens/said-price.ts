import type { SaidPrice, TokenRefusal } from './token-connector.ts';
import { BAD, usdPerMillion } from './usd-per-million.ts';

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
