import type { ModelType } from '../../tokens/identity/model-type.ts';
import type { SourceFile } from '../connector.ts';

/** Why a row of a token source is not kept. */
export const tokenRefusals = {
  'no-price': 'no price for a million tokens in it',
  'bad-price': 'the price is not an amount from 0 to 100,000 USD for a million tokens',
  'no-fixed-price': 'a router or a moving alias: it has no price of its own',
  'other-mode': 'sells something other than text: images, speech, embeddings',
  'by-size': 'a price for any model of a size',
  'own-machine': 'runs on the user’s own machine and costs nothing',
  sample: 'explains the file and is not a model',
  'upper-tier': 'the price above a length of the prompt; the base price has a row of its own',
  'time-of-day': 'a price for some hours of the day; the one without hours is taken',
  'no-model': 'names no model',
  repeated: 'is in the file already',
  'page-has-day': 'the public page of that day was read and says more: input and output apart',
  'cells-missing': 'the row has fewer or more cells than the header',
  'bad-cell': 'a cell has a value that its column does not allow',
} as const;
export type TokenRefusal = keyof typeof tokenRefusals;

/** A file of a token source, unpacked; can be read once. */
export interface TokenFile extends Pick<SourceFile, 'name' | 'content'> {
  /** YYYY-MM-DD: `--as-of`, else the date in its name, else today */
  day: string;
}

export interface SaidPrice {
  /** USD per million tokens, exact decimal text; null if not stated */
  input: string | null;
  output: string | null;
  cachedInput: string | null;
  /** YYYY-MM-DD, the end exclusive; null if not stated */
  validFrom: string | null;
  validTo: string | null;
  /** the source's own numbers as written */
  raw: Readonly<Record<string, unknown>>;
}

export interface SaidAboutModel {
  name: string | null;
  contextLength: number | null;
  huggingFaceId: string | null;
  openWeights: boolean | null;
  description: string | null;
  isDeprecated: boolean;
  /** YYYY-MM-DD */
  expiresOn: string | null;
  /** only in an operator's file */
  modelType?: ModelType | null;
  totalParam?: string | null;
  activeParam?: string | null;
  paramEvidence?: string | null;
}

interface SaidUsage {
  /** UTC day of the usage, YYYY-MM-DD */
  day: string;
  permaslug: string;
  /** the marketplace's variant: standard, free, batch, thinking */
  variant: string;
  total: string;
  /** null if the source has no input/output split */
  input: string | null;
  output: string | null;
}

/** What one row says, before model and seller are looked up. */
export interface SaidRow {
  row: number;
  /** identifies the model: the name that stays the same for a model in this source */
  label: string;
  /** the seller in the source's words; null if not stated */
  provider: string | null;
  permaslug?: string;
  price?: SaidPrice;
  about?: SaidAboutModel;
  usage?: SaidUsage;
}

export type TokenRow = SaidRow | { row: number; refused: TokenRefusal; detail: string };

export interface TokenReading {
  /** which part of the source the file is; a later reading of the same part and day replaces it */
  scope: string;
  rows: readonly TokenRow[];
}

/** One publisher's format of prices, models or volumes, including its traps; models and sellers are looked up afterwards. */
export interface TokenConnector {
  /** as typed: `ingest <name> <file-or-url>` */
  name: string;
  title: string;
  /** address it is fetched from by default; null if the operator must name a file or URL */
  url: string | null;
  /** the publisher's free offers have names of their own, so a price of 0 alone does not mean the variant `free` */
  namesFreeOffers?: boolean;
  /** its rows state their own day; otherwise they apply to the day of the file */
  rowsSayDay?: boolean;
  /** Throws `FormatError` if the file as a whole is not in this format: nothing of it is kept then. */
  read: (file: TokenFile) => Promise<TokenReading>;
}
