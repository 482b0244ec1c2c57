import type { Tier } from './user.ts';

/** What a subscription may open beyond what every customer has. */
export type Product = 'gpu-index';

/** The products of each tier. */
export const productsByTier: Record<Tier, readonly Product[]> = {
  basic: [],
  plus: ['gpu-index'],
  professional: ['gpu-index'],
  enterprise: ['gpu-index'],
};
