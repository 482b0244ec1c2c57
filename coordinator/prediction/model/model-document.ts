import { createHash } from 'node:crypto';
import type { Pool } from './conformal.ts';
import type { Shares } from './seller-shares.ts';
import type { Vote } from './vote.ts';

export type Offer = Omit<Vote, 'chip'>;

/** A provider's own rate of a term over its own price on demand. */
export interface ProviderRatio {
  product: string;
  provider: string;
  sellers: string;
  /** months */
  tenor: number;
  ratio: number;
  day: string;
}

/** Where the data of a product reach. */
export interface Support {
  product: string;
  chip: string;
  providers: number;
  /** that sell any product of the chip */
  chip_providers: number;
  /** of the chip's votes */
  countries: string[];
  price_types: number[];
  /** kinds of providers */
  shares: Shares;
}

/** A model as it is stored. */
export interface ModelDocument {
  format: 1;
  /** the newest day in it, of which it speaks */
  as_of: string;
  votes: number;
  providers: number;
  /** accelerators of the largest machine in it */
  most_cards: number;
  coefficients: [name: string, value: number][];
  /** by price type: residuals with the kind of provider known, and not */
  pools: [type: number, { known: Pool; any: Pool }][];
  support: Support[];
  ratios: ProviderRatio[];
  offers: Offer[];
  backtest: {
    votes: number;
    mape: number | null;
    median_ape: number | null;
    coverage_80: number | null;
    /** on demand; null: too few providers to judge it by */
    judged_coverage: number | null;
  };
}

export const bytesOf = (document: ModelDocument): Buffer => Buffer.from(JSON.stringify(document));

/** The day that it speaks of and what it is: equal models have equal names. */
export const versionOf = ({ as_of }: ModelDocument, bytes: Buffer): string =>
  `${as_of}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
