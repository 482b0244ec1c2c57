import type { SellerType } from './sellers.ts';
import type { ModelType } from './identity/model-type.ts';

/** A seller's price in one row of a source: one row of the table. Amounts are USD per million tokens, exact decimal text. */
export interface PriceObservation {
  day: string;
  row_number: number;
  label: string;
  model: string;
  variant: string;
  permaslug: string | null;
  seller: string;
  seller_type: SellerType;
  valid_from: string | null;
  valid_to: string | null;
  price_input: string | null;
  price_output: string | null;
  price_cached_input: string | null;
  raw: Readonly<Record<string, unknown>>;
}

/** What a source says about a model itself. Sizes are billions, decimal text. */
export interface ModelObservation {
  day: string;
  label: string;
  model: string;
  name: string | null;
  context_length: number | null;
  hugging_face_id: string | null;
  open_weights: boolean | null;
  total_param: string | null;
  active_param: string | null;
  param_evidence: string | null;
  model_type: ModelType | null;
  is_deprecated: boolean;
  expires_on: string | null;
}

/** Tokens of a UTC day by item; whole numbers as text. */
export interface UsageObservation {
  day: string;
  /** number of the row in the file; not stored */
  row: number;
  permaslug: string;
  variant: string;
  model: string | null;
  tokens_total: string;
  tokens_input: string | null;
  tokens_output: string | null;
}

export interface Observations {
  prices: readonly PriceObservation[];
  models: readonly ModelObservation[];
  usage: readonly UsageObservation[];
}
