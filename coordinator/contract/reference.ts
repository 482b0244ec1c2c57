import { z } from 'zod';

/** What a figure is held to. */
export const reference = z.object({
  value: z.number().meta({
    description: 'what a healthy card of the model reaches; with basis sheet the peak, which no card reaches',
  }),
  low: z.number().meta({ description: 'below it a card is suspect' }),
  high: z.number().nullable().meta({ description: 'healthy cards stay below it; null where it is not known' }),
  cards: z.int().meta({ description: 'cards or machines behind value; 0 with basis published or sheet' }),
  source: z.string(),
  basis: z.enum(['measured', 'customers', 'published', 'sheet']).meta({
    description:
      'customers: median of other customers; measured: our own runs on healthy cards; published: a run of another program; sheet: the data sheet. The last two give no verdict',
  }),
});
export type Reference = z.infer<typeof reference>;
