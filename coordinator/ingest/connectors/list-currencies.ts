/**
 * Sellers whose own list is not in USD, by the letters and digits of their name. Programs that copy such a list (SkyPilot,
 * gpuhunt) keep its figures and drop its currency. Scaleway's and Seeweb's interfaces answer in EUR. OVHcloud is not here:
 * SkyPilot reads its international page, which is in USD (an A100 at 3.07, 2.75 on the page in EUR).
 */
const notInUsd: ReadonlyMap<string, string> = new Map([
  ['scaleway', 'EUR'],
  ['seeweb', 'EUR'],
]);

/** ISO 4217 code of the seller's own list, for a source that repeats its figures without saying their currency. */
export const currencyOfList = (provider: string): string =>
  notInUsd.get(provider.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? 'USD';
