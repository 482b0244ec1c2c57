/** What an index measures. */
export interface IndexDefinition {
  token: string;
  version: string;
  name: string;
  unit: string;
  definition: string;
}

const EXPENDITURE_UNIT = 'USD per million paid tokens';
const PRICE_UNIT = 'index, first day = 100';

const expenditureOf = (whose: string): string =>
  `10^6 x sum(q_in p_in + q_out p_out) / sum(q_in + q_out) over ${whose} of the UTC day that have tokens and a price above 0 in USD per token; a price is that of the same variant in the catalogue of the day, else of the next; no figure below a coverage of 0.85`;
const priceOf = (what: string): string =>
  `GEKS-Törnqvist price index of ${what} of paid items, window of 28 days, mean splice: what the same items cost, whatever is bought more or less of`;

/** Every index with its versions, in the order in which they are derived. */
export const indexDefinitions = [
  {
    token: 'expenditure',
    version: 'v1',
    name: 'Token expenditure',
    unit: EXPENDITURE_UNIT,
    definition: expenditureOf('items'),
  },
  {
    token: 'open_expenditure',
    version: 'v1',
    name: 'Token expenditure, open models',
    unit: EXPENDITURE_UNIT,
    definition: expenditureOf('items of models whose weights can be had'),
  },
  {
    token: 'closed_expenditure',
    version: 'v1',
    name: 'Token expenditure, closed models',
    unit: EXPENDITURE_UNIT,
    definition: expenditureOf('items of models whose weights cannot be had'),
  },
  {
    token: 'token_price',
    version: 'v1',
    name: 'Token price',
    unit: PRICE_UNIT,
    definition: priceOf('input and output'),
  },
  {
    token: 'token_price_input',
    version: 'v1',
    name: 'Token price, input',
    unit: PRICE_UNIT,
    definition: priceOf('input'),
  },
  {
    token: 'token_price_output',
    version: 'v1',
    name: 'Token price, output',
    unit: PRICE_UNIT,
    definition: priceOf('output'),
  },
] as const satisfies readonly IndexDefinition[];

export type IndexToken = (typeof indexDefinitions)[number]['token'];
export const VERSION = 'v1';

/** Which models an expenditure covers: true for open ones, false for closed ones, null for all. */
export const openOnly = { expenditure: null, open_expenditure: true, closed_expenditure: false } as const;
export type ExpenditureToken = keyof typeof openOnly;
export const expenditureTokens = Object.keys(openOnly) as ExpenditureToken[];

/** Which prices of an item a price index covers. */
export const sidesOf = {
  token_price: ['input', 'output'],
  token_price_input: ['input'],
  token_price_output: ['output'],
} as const;
export type PriceToken = keyof typeof sidesOf;
export const priceTokens = Object.keys(sidesOf) as PriceToken[];
