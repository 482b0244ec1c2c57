import type { SellerType } from './sellers.ts';
import type { ModelType } from './identity/model-type.ts';

/** What a seller asks, as one row of a source has it. Amounts are USD per million tokens, exact decimal text. */
export interface PriceObservation {
  day: string;
  rowNumber: number;
  label: string;
  model: string;
  variant: string;
  permaslug: string | null;
  seller: string;
  sellerType: SellerType;
  validFrom: string | null;
  validTo: string | null;
  input: string | null;
  output: string | null;
  cachedInput: string | null;
  raw: Readonly<Record<string, unknown>>;
}

/** What a source says of a model itself. Sizes are billions, decimal text. */
export interface ModelObservation {
  day: string;
  label: string;
  model: string;
  name: string | null;
  contextLength: number | null;
  huggingFaceId: string | null;
  openWeights: boolean | null;
  totalParam: string | null;
  activeParam: string | null;
  paramEvidence: string | null;
  modelType: ModelType | null;
  isDeprecated: boolean;
  expiresOn: string | null;
}

/** Tokens of a UTC day by item; whole numbers as text. */
export interface UsageObservation {
  day: string;
  row: number;
  permaslug: string;
  variant: string;
  model: string | null;
  total: string;
  input: string | null;
  output: string | null;
}

export interface Observations {
  prices: readonly PriceObservation[];
  models: readonly ModelObservation[];
  usage: readonly UsageObservation[];
}
