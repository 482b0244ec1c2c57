import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTable } from '../platform/read-table.ts';

/** Who sets the price: the model's own developer, somebody who runs models of others, or somebody who forwards requests. */
const sellerTypes = ['model-lab', 'model-platform', 'marketplace'] as const;
export type SellerType = (typeof sellerTypes)[number];

export interface Seller {
  seller: string;
  name: string;
  /** `seller_type` of the table; `sellerTypeOf` gives the type for models of one developer */
  type: SellerType;
  /** developers whose models it sells as their lab */
  developers: readonly string[];
}

/** A provider in a source's words -> the seller; null if the table has none of that name. */
export const sellerNamed = (provider: string): Seller | null => byName.get(provider.toLowerCase()) ?? null;

/** The lab that sells a developer's own models, for sources that name no provider. */
export const labOf = (developer: string): Seller | null =>
  sellers.find(({ developers }) => developers.includes(developer)) ?? null;

/** The type for models of this developer: a cloud is the lab of its own models and a platform for others. */
export function sellerTypeOf({ type, developers }: Seller, developer: string): SellerType {
  if (developers.includes(developer)) return 'model-lab';
  // A lab runs the models of others that it sells itself.
  return type === 'model-lab' ? 'model-platform' : type;
}

/** The company that a seller's vote counts as: one with several price lists has one vote. */
export const companyOf = (seller: string): string => companies.get(seller) ?? seller;

const cell = z.string().trim();
const list = cell.transform((text) => text.split('|').filter((word) => word !== ''));
const sellerRow = z.object({
  seller: cell.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens'),
  name: cell.min(1),
  seller_type: z.enum(sellerTypes),
  developers: list,
  aliases: list,
  /** the seller of the same company whose list has its vote; empty: its own */
  votes_with: cell,
});

const rows = readTable('sellers.csv', readFileSync(join(import.meta.dirname, 'sellers.csv'), 'utf8'), sellerRow);
const sellers: readonly Seller[] = rows.map(({ seller, name, seller_type, developers }) => ({
  seller,
  name,
  type: seller_type,
  developers,
}));
const companies: ReadonlyMap<string, string> = new Map(
  rows.flatMap(({ seller, votes_with }): [string, string][] => (votes_with === '' ? [] : [[seller, votes_with]])),
);
const byName: ReadonlyMap<string, Seller> = new Map(
  rows.flatMap(({ seller, aliases }, at) => {
    const row = sellers[at];
    return row ? [seller, ...aliases].map((name): [string, Seller] => [name, row]) : [];
  }),
);
