import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { realTokenFiles } from '../ingest/real-files.ts';
import type { PriceSeen, Reading } from './stored-observations.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/tokens/openrouter');
export const noRealDays = existsSync(folder)
  ? false
  : 'needs the rankings of real days, which this checkout does not have';

export interface RawRanking {
  date: string;
  model_permaslug: string;
  variant: string;
  total_prompt_tokens: number;
  total_completion_tokens: number;
}

export interface RawModel {
  id: string;
  canonical_slug: string;
  hugging_face_id: string | null;
  context_length: number | null;
  expiration_date: string | null;
  pricing: { prompt?: string; completion?: string };
}

export interface RawDay {
  /** on which both were read */
  captured: string;
  rankings: RawRanking[];
  models: RawModel[];
}

const read = (...parts: string[]): { data: unknown } =>
  JSON.parse(gunzipSync(readFileSync(join(folder, ...parts))).toString()) as { data: unknown };

export const rawDays = (): RawDay[] =>
  realTokenFiles.rankings
    .map((path) => /\d{4}-\d{2}-\d{2}/.exec(path)?.[0] ?? '')
    .map((captured) => ({
      captured,
      rankings: read(captured, 'rankings_models_day.json.gz').data as RawRanking[],
      models: read(captured, 'models.json.gz').data as RawModel[],
    }));

/** Good enough here, if not for a person: the permaslug without its date. */
export const modelOf = (permaslug: string): string => permaslug.replace(/-20\d{6}$/, '');
export const variantOf = (id: string): string => id.split(':')[1] ?? 'standard';

/** The rankings read on a day are of the day before. */
export function usageReading({ rankings }: RawDay): Reading {
  return {
    source: 'openrouter-rankings',
    day: (rankings[0]?.date ?? '').slice(0, 10),
    usage: rankings.map((row) => ({
      permaslug: row.model_permaslug,
      variant: row.variant,
      model: modelOf(row.model_permaslug),
      total: String(BigInt(row.total_prompt_tokens) + BigInt(row.total_completion_tokens)),
      input: String(row.total_prompt_tokens),
    })),
  };
}

export function catalogueReading({ captured, models }: RawDay): Reading {
  return {
    source: 'openrouter-models',
    day: captured,
    prices: models.flatMap((raw): PriceSeen[] => {
      const [input, output] = [perMillion(raw.pricing.prompt), perMillion(raw.pricing.completion)];
      if (input === null && output === null) return [];
      const names = { label: raw.id, model: modelOf(raw.canonical_slug), permaslug: raw.canonical_slug };
      return [{ ...names, variant: variantOf(raw.id), seller: 'openrouter', sellerType: 'marketplace', input, output }];
    }),
    models: models.map((raw) => ({
      label: raw.id,
      model: modelOf(raw.canonical_slug),
      huggingFaceId: raw.hugging_face_id || null,
      contextLength: raw.context_length || null,
      expiresOn: raw.expiration_date?.slice(0, 10) ?? null,
    })),
  };
}

/** Decimal text times 10^6, by moving the point; null: not a price. */
function perMillion(text: string | undefined): string | null {
  const parts = /^(\d+)(?:\.(\d+))?(?:[eE](-?\d+))?$/.exec(text ?? '');
  if (!parts) return null;
  const [, whole = '', decimals = '', exponent = '0'] = parts;
  const places = decimals.length - 6 - Number(exponent);
  const digits = `${whole}${decimals}`;
  if (places <= 0) return `${digits}${'0'.repeat(-places)}`;
  const padded = digits.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
