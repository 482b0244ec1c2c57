/** Why a seller's price is kept and shown but does not count in the pulse; the first three as for rental prices. */
export const tokenScreens = {
  band: 'outside what a model of its size plausibly costs',
  'own-history': 'too far from what this seller asked over the 30 days before',
  others: 'too far from the other sellers’ prices',
  copied: 'the marketplace’s price under the name of the lab',
  'same-company': 'a second list of a company that votes with another',
} as const;
export type TokenScreen = keyof typeof tokenScreens;
export const tokenScreenNames = Object.keys(tokenScreens) as TokenScreen[];

/** Days of a seller's prices that its next one is compared with. */
export const HISTORY_DAYS = 30;

/**
 * USD per million tokens that a price above 0 plausibly is between: the cheapest of the publishers' files is 0.002, the dearest
 * 600 (o1-pro). Beyond, a price for one token and one for a million were mixed up.
 */
export const PLAUSIBLE = { low: 0.0005, high: 1000 } as const;
