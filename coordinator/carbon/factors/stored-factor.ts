import type { Basis, FactorKind } from './factor.ts';

/** A factor with the edition that it came in. */
export interface StoredFactor {
  zone: string;
  valid_from: Date;
  valid_to: Date;
  g_per_kwh: number;
  basis: Basis;
  kind: FactorKind;
  source_year: number | null;
  source_row: string;
  source: string;
  scope: string;
  title: string;
  licence: string;
  credit: string;
  origin: string;
  published_on: string | null;
  /** came with a version of the product; else an operator has loaded it */
  shipped: boolean;
  loaded_at: Date;
}
