import { z } from 'zod';
import { keyed, orderBy, paginate } from './list-body.ts';
import { name } from './names.ts';
import { day, digitsId } from './wire.ts';

export const tokenFileIntervals = ['day', 'month'] as const;
export const tokenFileTypes = ['book', 'pulse'] as const;
export type TokenFileType = (typeof tokenFileTypes)[number];
export type TokenFileInterval = (typeof tokenFileIntervals)[number];

const range = z
  .string()
  .regex(/^\d{4}\/\d{2}\/\d{2}-\d{4}\/\d{2}\/\d{2}$/, "must be a range of days 'YYYY/MM/DD-YYYY/MM/DD'")
  .refine((written) => {
    const [from = '', to = ''] = written.split('-').map((part) => part.replaceAll('/', '-'));
    return from <= to && [from, to].every((part) => day.safeParse(part).success);
  }, 'must be days of the calendar in their order')
  .meta({ example: '2026/08/01-2026/08/31' });

const required = ['interval', 'period', 'type'] as const;
const fileFilter = keyed({ interval: z.enum(tokenFileIntervals), period: range, type: z.enum(tokenFileTypes) }, 20);

export const tokenFileListRequest = z.object({
  filter: fileFilter
    .superRefine((filter, context) => {
      for (const key of required)
        if (!filter.some((entry) => entry[key] !== undefined))
          context.addIssue({
            code: 'custom',
            path: [key],
            message: `Field required: filter needs an item {"${key}": ...}`,
          });
    })
    .meta({
      description:
        'one key each; all of interval, period and type are required. Files whose days lie within the period; a repeated key means any of its values.',
      example: [{ interval: 'day' }, { period: '2026/08/01-2026/08/31' }, { type: 'book' }],
    }),
  order_by: orderBy(['period']),
  paginate,
});
export type TokenFileListRequest = z.output<typeof tokenFileListRequest>;

const ofFile = {
  interval: z.enum(tokenFileIntervals),
  period: z.string().meta({ description: 'YYYY-MM-DD or YYYY-MM' }),
  type: z.enum(tokenFileTypes),
  csv_s3_path: z.string(),
};

export const tokenFile = z
  .object({
    id: z.string(),
    sequence_id: z.int().meta({ description: 'grows with each file that was built' }),
    ...ofFile,
  })
  .meta({ id: 'TokenPriceFile' });
export type TokenFile = z.infer<typeof tokenFile>;

/** A named file. */
export const tokenRecord = z
  .object({
    id: z.string().meta({ description: 'changes when the file is built anew; the name stays' }),
    name: z.string().meta({ description: 'what create gave it, else what it holds: token-book-day-2026-08-10' }),
    date: day.meta({ description: 'on which the file was built, UTC' }),
    type: ofFile.type,
    interval: ofFile.interval,
    period: ofFile.period,
    csv_s3_path: ofFile.csv_s3_path,
    row_count: z.int(),
  })
  .meta({ id: 'TokenPriceRecord' });
export type TokenRecord = z.infer<typeof tokenRecord>;

const recordName = name(60);
const formOf = { day: 'YYYY-MM-DD', month: 'YYYY-MM' } as const;

export const createRecordRequest = z
  .object({
    type: z.enum(tokenFileTypes),
    interval: z.enum(tokenFileIntervals),
    period: z.string().max(10).meta({ description: 'YYYY-MM-DD of a day, YYYY-MM of a month', example: '2026-08-10' }),
    name: recordName.optional().meta({ description: 'absent: named by what it holds' }),
  })
  .superRefine(({ interval, period }, context) => {
    const isOne = period.length === formOf[interval].length && day.safeParse(`${period}-01`.slice(0, 10)).success;
    if (!isOne)
      context.addIssue({
        code: 'custom',
        path: ['period'],
        message: `must be a ${interval} written ${formOf[interval]}`,
      });
  });
export type CreateRecordRequest = z.output<typeof createRecordRequest>;

export const identifyRecordRequest = z
  .object({ id: digitsId.optional(), name: recordName.optional() })
  .refine((given) => given.id !== undefined || given.name !== undefined, {
    error: 'id or name must say which record',
    path: ['id'],
  });
export type IdentifyRecordRequest = z.output<typeof identifyRecordRequest>;
