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
 * Open if its weights are available: it has a Hugging Face id, a source says so, or the table names its licence. A licence such
 * as Apache-2.0 or MIT makes it open source; one with conditions of use, or one that nobody has looked up, open weight.
 */
export function modelTypeOf({ model, huggingFaceId, openWeights }: OpennessFacts): ModelType {
  const licensed = licenceOf(model);
  if (licensed) return licensed.openness;
  return openWeights === true || huggingFaceId !== null ? 'open-weight' : 'closed-source';
}

/** The licence of the weights; null if the table does not have it. */
export const licenceOf = (model: string): { openness: 'open-source' | 'open-weight'; licence: string } | null =>
  licences.find(({ models }) => models.test(model)) ?? null;

const cell = z.string().trim();
const row = z.object({
  /** `*` stands for anything */
  models: cell
    .regex(/^[a-z0-9-]+\/[a-z0-9.*-]+$/, 'must be developer/name, with * for any part of the name')
    .transform((text) => new RegExp(`^${text.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`)),
  openness: z.enum(['open-source', 'open-weight']),
  licence: cell.min(1),
});

/** The first row that matches applies. */
const licences = readTable('open-models.csv', readFileSync(join(import.meta.dirname, 'open-models.csv'), 'utf8'), row);
