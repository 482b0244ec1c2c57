import { z } from 'zod';
import type { Tier } from './user.ts';
import { day } from './wire.ts';

/** Products that a subscription can include, beyond what every customer has. */
export const product = z.enum([
  'gpu-forward',
  'gpu-index',
  'price-evidence',
  'price-iq',
  'token-index',
  'token-prices',
]);
export type Product = z.infer<typeof product>;

const count = z.int().min(0).max(10_000);

/** Terms of a tier; the operator changes them with `tier set`, for one customer with `customer set`. */
export const terms = z.object({
  products: z.array(product),
  applications: count,
  tokens_per_application: count,
  token_days: z.int().min(1).max(3650),
  /** names; each has two keys at most */
  api_keys: count,
  requests_per_minute: z.int().min(1).max(1_000_000),
  /** most requests at once after a pause */
  burst: z.int().min(1).max(1_000_000),
  history_days: z.int().min(1).max(36_500),
  archive_tiers: z.array(z.union([z.literal(2), z.literal(3)])),
});
export type Terms = z.infer<typeof terms>;

/** The part of the token index that one customer may query; null: no restriction. */
export const tokenIndexTerms = z.object({
  token_index_tokens: z.array(z.string().min(1).max(60)).nullable(),
  token_index_versions: z.array(z.string().min(1).max(60)).nullable(),
  token_index_from: day.nullable(),
  token_index_to: day.nullable(),
});
export type TokenIndexTerms = z.infer<typeof tokenIndexTerms>;

/** What a customer may do now. Without an active subscription: the terms of the tier basic, and no call that requires one. */
export interface Standing {
  tier: Tier;
  subscribed: boolean;
  terms: Terms & TokenIndexTerms;
  /** which tiers have each product, for the message to a caller that lacks it */
  tiersWith: Partial<Record<Product, Tier[]>>;
}
