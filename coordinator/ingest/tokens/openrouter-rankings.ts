import { z } from 'zod';
import { FormatError } from '../connector.ts';
import { checked } from '../reading/read-json.ts';
import { readExactJson } from './said-price.ts';
import type { TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

const count = z.string().regex(/^\d{1,18}$/, 'must be a whole number of tokens');
const day = z.string().regex(/^20\d\d-[01]\d-[0-3]\d( 00:00:00)?$/, 'must be a day');

/** A row of the page behind openrouter.ai/rankings: input and output of an item, which is a permanent slug and a variant. */
const pageRow = z.object({
  date: day,
  model_permaslug: z.string(),
  variant: z.string().min(1).max(40),
  total_prompt_tokens: count,
  total_completion_tokens: count,
});
/** A row of the official dataset: the fifty largest models of a day and `other`, without an input/output split. */
const dailyRow = z.object({ date: day, model_permaslug: z.string(), total_tokens: count });
const rankings = z.object({ data: z.array(z.union([pageRow, dailyRow])).min(1) });

type PageRow = z.output<typeof pageRow>;
type DailyRow = z.output<typeof dailyRow>;

/**
 * Tokens of a UTC day by model, in either of OpenRouter's two forms, distinguished by their columns. The rows state their own
 * day: the page fetched on day D describes D-1. A page for a week or month covers several days and is refused; the dataset may
 * cover many days, and is ignored for days that the page was read for.
 */
export const openrouterRankings: TokenConnector = {
  name: 'openrouter-rankings',
  title: 'OpenRouter, tokens of a day by model',
  url: 'https://openrouter.ai/api/frontend/v1/rankings/models?view=day',
  rowsSayDay: true,
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const { data } = checked(file, rankings, await readExactJson(file), '');
  const pages = data.filter(isPage).length;
  if (pages > 0 && pages < data.length)
    throw new FormatError(file, null, 'mixes rows of the page with rows of the dataset');
  const days = [...new Set(data.map(({ date }) => date.slice(0, 10)))].toSorted();
  if (pages > 0 && days.length > 1)
    throw new FormatError(file, null, `has rows of ${days.length} days, ${days[0]} to ${days.at(-1)}: fetch view=day`);
  const ahead = days.find((one) => one > file.day);
  if (ahead !== undefined)
    throw new FormatError(file, null, `has rows of ${ahead}, after the day it was read on (${file.day})`);
  const seen = new Set<string>();
  const rows = data.map((one, at): TokenRow => {
    const usage = isPage(one) ? ofPage(one) : ofDataset(one);
    const { permaslug, variant } = usage;
    const key = `${usage.day} ${permaslug} ${variant}`;
    if (permaslug === '') return { row: at + 1, refused: 'no-model', detail: `${usage.total} tokens` };
    if (seen.has(key)) return { row: at + 1, refused: 'repeated', detail: key };
    seen.add(key);
    const label = variant === 'standard' ? permaslug : `${permaslug}:${variant}`;
    return { row: at + 1, label, provider: 'openrouter', usage };
  });
  return { scope: 'usage', rows };
}

const isPage = (row: PageRow | DailyRow): row is PageRow => 'total_prompt_tokens' in row;

const ofPage = ({ date, model_permaslug, variant, total_prompt_tokens, total_completion_tokens }: PageRow) => ({
  day: date.slice(0, 10),
  permaslug: model_permaslug.trim(),
  variant,
  total: String(BigInt(total_prompt_tokens) + BigInt(total_completion_tokens)),
  input: total_prompt_tokens,
  output: total_completion_tokens,
});

/** A variant's name follows the slug after a colon. */
function ofDataset({ date, model_permaslug, total_tokens }: DailyRow) {
  const [permaslug = '', variant = 'standard'] = model_permaslug.trim().split(':');
  return { day: date.slice(0, 10), permaslug, variant, total: total_tokens, input: null, output: null };
}
