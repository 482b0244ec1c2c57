import { z } from 'zod';
import { day } from './wire.ts';

/** First and last day of an index, both included; each defaults to the server's current date (UTC). */
export const indexDates = {
  starting_date: day.nullish().meta({ description: 'default: today; not in the future' }),
  ending_date: day.nullish().meta({ description: 'default: today; not in the future, not before starting_date' }),
};

/** Value of a day without data. */
export const NO_DATA = '-1';

/** Fields that the answers of all indices share. */
export const indexAnswer = {
  index_name: z.string().nullable().meta({ description: 'null where no day has data' }),
  index_version: z.string(),
  starting_date: day,
  ending_date: day,
  indexes: z.record(z.string(), z.string()).meta({
    description: `day -> value with four decimals; '${NO_DATA}': no data`,
    example: { '2026-08-21': '2.4375' },
  }),
};
