import { z } from 'zod';

/** Terms of a price, with their descriptions as the interface words them. */
export const priceTypeDescriptions = {
  [-1]: 'Rental Spot',
  0: 'Rental On-Demand',
  1: 'Rental Reserved 1 month',
  3: 'Rental Reserved 3 month',
  6: 'Rental Reserved 6 month',
  12: 'Rental Reserved 1 year',
  100: 'Retail New',
  101: 'Retail Refurbished',
  102: 'Retail Used',
} as const;

export const priceTypes = [-1, 0, 1, 3, 6, 12, 100, 101, 102] as const;
export type PriceType = (typeof priceTypes)[number];

const described = priceTypes.map((value) => `${value} ${priceTypeDescriptions[value]}`).join(', ');

export const priceType = z
  .literal(priceTypes, {
    error: ({ input }) => `${input === undefined ? 'Field required: ' : ''}must be one of ${described}`,
  })
  // The document's generator takes the first of several literals alone.
  .meta({ type: 'integer', enum: [...priceTypes], description: described });

export const isRetail = (type: number): boolean => type >= 100;

/** Reservations of 2 and 3 years are observed for the forward curve; the data hub does not list them. */
export const longTerms = [24, 36] as const;
export type ObservedPriceType = PriceType | (typeof longTerms)[number];

export const providerSourceTypes = ['Hyperscaler', 'Neocloud', 'Marketplace'] as const;
export const providerSourceType = z.enum(providerSourceTypes);
export type ProviderSourceType = z.infer<typeof providerSourceType>;
