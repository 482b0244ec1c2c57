import type { z } from 'zod';
import { validationError } from '../../platform/http/validation-error.ts';
import type { Listing } from './listing.ts';

/** The query without empty fields, which forms also send. */
export const filled = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([, value]) => value.trim() !== ''));

/** Filters in the format of the API's lists: one entry per value, since a repeated key means any of its values. */
export const filterAsked = (query: URLSearchParams, names: readonly string[]): Record<string, string>[] =>
  names.flatMap((name) => valuesOf(query, name).map((value) => ({ [name]: value })));

/** All non-empty values of a parameter. */
export const valuesOf = (query: URLSearchParams, name: string): string[] =>
  query.getAll(name).filter((value) => value.trim() !== '');

/** Tags of one field, separated only by commas: a tag may contain spaces but no comma. */
export const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

/** A query parsed by a schema of the contract; throws `validation` naming the fields. */
export function asked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const read = schema.safeParse(given);
  if (!read.success) throw validationError('query', read.error.issues);
  return read.data;
}

/** Pagination parameters, with the same limits as the API. */
export const pageAsked = (query: URLSearchParams, most = 100): { num_per_page: number; page_num: number } => ({
  num_per_page: within(query.get('per_page'), Math.min(50, most), most),
  page_num: within(query.get('page'), 1, 1_000_000),
});

const within = (text: string | null, otherwise: number, most: number): number => {
  const number = Number(text ?? otherwise);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : otherwise;
};

/** One page of rows that were read in full. */
export function pageOfAll<Row>(all: readonly Row[], asks: ReturnType<typeof pageAsked>): Listing<Row> {
  const { page_num: page, num_per_page: perPage } = asks;
  return { rows: all.slice((page - 1) * perPage, page * perPage), total: all.length, page, perPage };
}

export const sortAsked = (query: URLSearchParams): 'asc' | 'desc' =>
  query.get('sort_order') === 'asc' ? 'asc' : 'desc';

/** The day `days` before `now`, as YYYY-MM-DD. */
export const daysAgo = (now: Date, days: number): string =>
  new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
