/** Markets separate from the standard one: votes of different markets are never mixed. */
const segments = {
  fraction: 'a part of an accelerator',
  'local-zone': 'a local or wavelength zone',
  government: 'a region for governments',
  serverless: 'billed by the second of use',
  community: 'machines of the provider’s partners',
  minimum: 'the cheapest of several offers',
  convertible: 'a reservation that may be exchanged for another',
  upfront: 'a reservation that is paid partly or fully in advance',
} as const;
export type Segment = keyof typeof segments;

/** Why an observation is kept but does not vote. */
export const doubts = {
  contradiction: 'the words for the accelerator contradict the machine',
  'spot-equals-on-demand': 'a spot price equal to the price on demand of the same machine elsewhere',
  'mixed-terms': 'an average over prices on demand and spot prices',
  'unclear-unit': 'its source has prices of whole machines and of single accelerators beside each other',
} as const;
export type Doubt = keyof typeof doubts;

/**
 * Segments in which only the standard machine votes, as for prices by the hour; in the others a machine of any size
 * votes.
 */
export const contractSegments: readonly string[] = ['convertible', 'upfront'] satisfies Segment[];

/** Why a vote is kept but not counted. */
export const screens = {
  band: 'outside what this product plausibly costs',
  'own-history': 'too far from what its provider asked over the 30 days before',
  others: 'too far from the other providers’ votes',
  unit: 'most prices of its source moved together by a factor that another unit would explain',
} as const;
export type Screen = keyof typeof screens;

/** Days of a provider's votes that its next one is compared with. */
export const HISTORY_DAYS = 30;
/**
 * With fewer days of history, a provider's own level screens a vote only if the other providers' votes contradict it
 * too.
 */
export const LEAST_DAYS = 3;
