import { createHash } from 'node:crypto';
import type { Pool } from './conformal.ts';
import type { Shares } from './seller-shares.ts';
import type { Vote } from './vote.ts';

export type Offer = Omit<Vote, 'chip'>;

/** A provider's own rate for a term divided by its own price on demand. */
export interface ProviderRatio {
  product: string;
  provider: string;
  sellers: string;
  /** months */
  tenor: number;
  ratio: number;
  day: string;
}

/** What the data on a product cover. */
export interface Support {
  product: string;
  chip: string;
  providers: number;
  /** providers that sell any product with the chip */
  chip_providers: number;
  /** countries in the chip's votes */
  countries: string[];
  price_types: number[];
  /** kinds of providers */
  shares: Shares;
}

/** A model as stored. */
export interface ModelDocument {
  format: 1;
  /** the newest day in its votes, the day it predicts for */
  as_of: string;
  votes: number;
  providers: number;
  /** accelerators of the largest machine in its votes */
  most_cards: number;
  coefficients: [name: string, value: number][];
  /** by price type: residuals with the kind of provider known, and unknown */
  pools: [type: number, { known: Pool; any: Pool }][];
  support: Support[];
  ratios: ProviderRatio[];
  offers: Offer[];
  backtest: {
    votes: number;
    mape: number | null;
    median_ape: number | null;
    coverage_80: number | null;
    /** on demand; null if there are too few providers to judge it */
    judged_coverage: number | null;
  };
}

export const bytesOf = (document: ModelDocument): Buffer => Buffer.from(JSON.stringify(document));

/** Its `as_of` day and a hash of its bytes: identical models have identical versions. */
export const versionOf = ({ as_of }: ModelDocument, bytes: Buffer): string =>
  `${as_of}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
