import { z } from 'zod';

const cell = z.string().trim();
const filled = cell.min(1, 'must not be empty');
const figure = cell.transform((text, context) => {
  if (text === '') return null;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  context.addIssue({ code: 'custom', message: `"${text}" is not a number above 0` });
  return z.NEVER;
});
const orNull = cell.transform((text) => (text === '' ? null : text));

/** One row of the catalogue as CSV. An empty cell means unknown, never 0. */
export const productRow = z.object({
  product_id: filled.regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0').transform(Number),
  slug: filled.max(80).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens'),
  name: filled.max(120),
  chip: filled.max(60),
  // absent from files older than the column
  architecture: cell
    .max(60)
    .default('')
    .transform((text) => (text === '' ? null : text)),
  manufacturer: filled.max(60),
  accelerator_type: z.enum(['gpu', 'asic', 'fpga']),
  form_factor: orNull,
  mem: figure,
  mem_bus: figure.refine((bits) => bits === null || (Number.isInteger(bits) && bits < 1e6), 'must be a number of bits'),
  bus: orNull,
  bandwidth: figure,
  tdp: figure,
  fp16: figure,
  msrp: figure,
  released_date: orNull.refine((text) => text === null || z.iso.date().safeParse(text).success, 'must be YYYY-MM-DD'),
  source: filled.max(400),
  labels: cell
    .default('')
    .transform((text) => text.split('|').map((label) => label.trim()))
    .transform((labels) => labels.filter((label) => label !== '')),
});
export type ProductCsvRow = z.output<typeof productRow>;

/** In the order of the file. */
export const productColumns = Object.keys(productRow.shape) as (keyof ProductCsvRow)[];
