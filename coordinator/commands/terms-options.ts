import type { Command } from 'commander';
import { z } from 'zod';
import { product, terms, tokenIndexTerms } from '../contract/terms.ts';

const words = z.string().transform((given) => (given === 'none' ? [] : given.split(',')));
const number = (rule: z.ZodInt) => z.coerce.number().pipe(rule);
const { shape } = terms;
const index = tokenIndexTerms.shape;

/** The terms of a tier as options: lists are comma-separated or `none`. */
export const termsShape = z.object({
  products: words.pipe(shape.products).optional(),
  applications: number(shape.applications).optional(),
  tokensPerApplication: number(shape.tokens_per_application).optional(),
  tokenDays: number(shape.token_days).optional(),
  apiKeys: number(shape.api_keys).optional(),
  requestsPerMinute: number(shape.requests_per_minute).optional(),
  burst: number(shape.burst).optional(),
  historyDays: number(shape.history_days).optional(),
  archiveTiers: words
    .transform((given) => given.map(Number))
    .pipe(shape.archive_tiers)
    .optional(),
});

export const tokenIndexShape = z.object({
  tokenIndexTokens: words.pipe(index.token_index_tokens.unwrap()).optional(),
  tokenIndexVersions: words.pipe(index.token_index_versions.unwrap()).optional(),
  tokenIndexFrom: index.token_index_from.unwrap().optional(),
  tokenIndexTo: index.token_index_to.unwrap().optional(),
});

export const withTermsOptions = (command: Command): Command =>
  command
    .option('--products <list>', `of ${product.options.join(', ')}; or none`)
    .option('--applications <count>', 'applications of a company')
    .option('--tokens-per-application <count>', 'valid tokens of each')
    .option('--token-days <days>', 'validity of an application token')
    .option('--api-keys <count>', 'names of API keys')
    .option('--requests-per-minute <count>', 'of one credential')
    .option('--burst <count>', 'requests at once after a pause')
    .option('--history-days <days>', 'how far back prices may be asked for')
    .option('--archive-tiers <list>', 'levels of the archives: 2, 3');

export const withTokenIndexOptions = (command: Command): Command =>
  command
    .option('--token-index-tokens <list>', 'tokens of the token index; absent: all')
    .option('--token-index-versions <list>', 'versions of it; absent: all')
    .option('--token-index-from <date>', 'first day that may be asked for')
    .option('--token-index-to <date>', 'last day that may be asked for');

/** `requestsPerMinute` -> `requests_per_minute`; what was not given is left out. */
export const columnsOf = <T extends object>(given: T): Record<string, T[keyof T]> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value as T[keyof T]]),
  );
