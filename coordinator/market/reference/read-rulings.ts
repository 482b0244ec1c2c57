import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readTable } from '../../platform/read-table.ts';
import type { RulingRow } from '../identity/label-rulings.ts';

const day = z.union([z.literal('').transform(() => null), z.iso.date()]);

export const rulingRow: z.ZodType<RulingRow> = z.object({
  provider: z.string().min(1),
  chip: z.string().min(1),
  memory_gb: z.string().transform((text) => (text === '' ? null : Number(text))),
  cards: z.string().transform((text) => (text === '' ? [] : text.split('|').map(Number))),
  offer: z.string(),
  first_day: day,
  last_day: day,
  overrides: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  product: z.string().min(1),
  reason: z.string().min(1),
});

const path = join(import.meta.dirname, '..', 'identity', 'label-rulings.csv');

/** What is known of single providers' machines; reviewed by hand, each row with its reason. */
export const readRulings = async (): Promise<RulingRow[]> =>
  readTable('label-rulings.csv', await readFile(path, 'utf8'), rulingRow);
