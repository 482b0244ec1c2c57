import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTable } from '../../platform/read-table.ts';

export const modelTypes = ['open-source', 'open-weight', 'closed-source'] as const;
export type ModelType = (typeof modelTypes)[number];

interface OpennessFacts {
  /** developer/name */
  model: string;
  huggingFaceId: string | null;
  /** as the source says; null if it does not */
  openWeights: boolean | null;
}

/**
 * As the table says, else open if its weights are available: it has a Hugging Face id or a source says so. A licence such as
 * Apache-2.0 or MIT makes it open source; one with conditions of use, or one that nobody has looked up, open weight. Closed only
 * if the table or a source says so; null if nothing does.
 */
export function modelTypeOf({ model, huggingFaceId, openWeights }: OpennessFacts): ModelType | null {
  const licensed = licenceOf(model);
  if (licensed) return licensed.openness;
  if (openWeights === true || huggingFaceId !== null) return 'open-weight';
  return openWeights === false ? 'closed-source' : null;
}

/** Whether weights are available; null if it is not known. */
export const isOpenType = (type: ModelType | null): boolean | null => (type === null ? null : type !== 'closed-source');

/** The licence of the weights, or that there is none; null if the table does not have it. */
export const licenceOf = (model: string): { openness: ModelType; licence: string } | null =>
  licences.find(({ models }) => models.test(model)) ?? null;

const cell = z.string().trim();
const row = z.object({
  /** `*` stands for anything */
  models: cell
    .regex(/^[a-z0-9-]+\/[a-z0-9.*-]+$/, 'must be developer/name, with * for any part of the name')
    .transform((text) => new RegExp(`^${text.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`)),
  openness: z.enum(modelTypes),
  licence: cell.min(1),
});

/** The first row that matches applies. */
const licences = readTable('licences.csv', readFileSync(join(import.meta.dirname, 'licences.csv'), 'utf8'), row);
