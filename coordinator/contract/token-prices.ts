import { z } from 'zod';
import { PULSE_CHANGED_ON } from './pulse-schema.ts';
import { day } from './wire.ts';

export const modelType = z.enum(['open-source', 'open-weight', 'closed-source']);
const knownModelType = modelType.nullable().meta({ description: 'null: nothing says whether its weights can be had' });
/** The same names and words as `tokens/screens.ts`. */
const screenedBy = z.enum(['band', 'own-history', 'others', 'copied', 'same-company']).nullable().meta({
  description:
    'why the price does not count in the pulse; band: outside what a model of its size plausibly costs; own-history: too far from what this seller asked before; others: too far from the other sellers; copied: the marketplace’s price under the name of the lab; same-company: a second list of a company that votes with another; null: it counts, or is a marketplace’s',
});
export const modelStatus = z.enum(['active', 'deprecated']);
export const sourceType = z.enum(['model-lab', 'model-platform', 'marketplace']).meta({
  description: 'model-lab: who made the model; model-platform: who runs it; marketplace: who passes requests on',
});

const usd = (words: string) => z.number().meta({ description: `USD per million ${words}` });
const billions = (words: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `billions of ${words}; null: not published` });

const model = {
  date: day.meta({ description: 'UTC' }),
  developer: z.string(),
  model_name: z.string(),
  model_type: knownModelType,
  model_status: modelStatus,
};

/**
 * A seller's prices of a model on a day. `price_output`, `price_cached_input`, `source_id`, `source_type` and `screened_by` are
 * ours.
 */
export const bookRow = z
  .object({
    ...model,
    total_param: billions('trainable weights'),
    active_param: billions('weights used per generated token'),
    context_length: z.int().nullable().meta({ description: 'tokens of input and output at most' }),
    price_input: usd('input tokens'),
    price_output: usd('output tokens'),
    price_cached_input: usd('input tokens that are read from a cache; null: not published').nullable(),
    source_id: z.string().meta({ description: 'who sells' }),
    source_type: sourceType,
    screened_by: screenedBy,
  })
  .meta({ id: 'TokenBookRow' });
export type BookRow = z.infer<typeof bookRow>;

const volume = (words: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `${words} tokens of the model on the day, of its variants together: 100 = as many as the whole market had on a mean day of the first complete ISO week stored; null: no counts`,
    });
const average = (words: string) =>
  usd(
    `${words} tokens, the mean over the providers that run the model themselves, one vote each; null: none`,
  ).nullable();
const middle = (words: string) => usd(`${words} tokens, the median over the same providers; null: none`).nullable();

const pulseHead = { ...model, volume_input_index: volume('input'), volume_output_index: volume('output') };
const pulseTail = {
  is_estimated: z.boolean().meta({ description: 'the split of the volume into input and output is estimated' }),
};

const firstPulseRow = z
  .object({ ...pulseHead, price_input: average('input'), price_output: average('output'), ...pulseTail })
  .meta({ id: 'TokenPulseRowBefore260707', description: `Rows of days before ${PULSE_CHANGED_ON}` });
const changedPulseRow = z
  .object({
    ...pulseHead,
    avg_price_input: average('input'),
    avg_price_output: average('output'),
    med_price_input: middle('input'),
    med_price_output: middle('output'),
    ...pulseTail,
  })
  .meta({ id: 'TokenPulseRow', description: `Rows of days from ${PULSE_CHANGED_ON} on (announcement 260707-1)` });
/** The schema in force on the row's own date. */
export const pulseRow = z.union([firstPulseRow, changedPulseRow]);
export type PulseRow = z.infer<typeof pulseRow>;

/** Columns of the files, in the order of the fields in answers. */
export const bookColumns = Object.keys(bookRow.shape);
export const pulseColumns = { head: Object.keys(pulseHead), tail: Object.keys(pulseTail) };

/** One model with its days, oldest first; a day without figures is left out. */
export const pulseTrend = z
  .object({
    developer: z.string(),
    model_name: z.string(),
    model_type: knownModelType,
    model_status: modelStatus,
    trend: z.array(pulseRow),
  })
  .meta({ id: 'TokenPulseTrend' });
export type PulseTrend = z.infer<typeof pulseTrend>;
