/** Markets beside the standard one: their prices vote among themselves only. */
const segments = {
  fraction: 'a part of an accelerator',
  'local-zone': 'a local or wavelength zone',
  government: 'a region for governments',
  serverless: 'billed by the second of use',
  community: 'machines of the provider’s partners',
  minimum: 'the cheapest of several offers',
  convertible: 'a reservation that may be exchanged for another',
  upfront: 'a reservation that is paid for in part or whole ahead',
} as const;
export type Segment = keyof typeof segments;

/** Why an observation is kept and does not vote. */
export const doubts = {
  contradiction: 'the words for the accelerator contradict the machine',
  'spot-equals-on-demand': 'a spot price equal to the price on demand of the same machine elsewhere',
  'mixed-terms': 'an average over prices on demand and spot prices',
} as const;
export type Doubt = keyof typeof doubts;

/** Contracts are made over the standard machine as prices by the hour are; elsewhere a machine of any size votes. */
export const contractSegments: readonly string[] = ['convertible', 'upfront'] satisfies Segment[];

/** Why a vote is kept and not counted. */
export const screens = {
  band: 'outside what this product plausibly costs',
  'own-history': 'too far from what its provider asked over the 30 days before',
  others: 'too far from the other providers’ votes',
} as const;
export type Screen = keyof typeof screens;

/** Days of a provider's votes that its next one is compared with. */
export const HISTORY_DAYS = 30;
/** With fewer days before it a provider's level is screened by only if the others speak against the vote too. */
export const LEAST_DAYS = 3;
