import { z } from 'zod';
import { reference } from './reference.ts';

export const performanceStatus = z.enum(['underperforming', 'nominal', 'outperforming', 'unknown']);
export type PerformanceStatus = z.infer<typeof performanceStatus>;

/** How a job compares with jobs of its kind; null unless requested by `include=performance`. */
export const performance = z
  .object({
    status: performanceStatus,
    score: z.number().nullable().meta({
      description:
        '100 times the worst ratio to peers or to what healthy cards reach: 100 is as expected; null without such a ratio, so never from a share of a peak',
    }),
    score_by: z.string().nullable().optional().meta({
      description: 'Ours, additive: the metric that the score is of, the worst; null without a score',
    }),
    metrics: z.array(
      z.object({
        metric: z.string(),
        value: z.number(),
        expected: z.number().nullable().meta({
          description:
            'by `basis`: peers: the median of the votes of other customers; reference: what healthy cards of the model reached in our own runs; spec: the peak of the data sheet, which no card reaches; none: null',
        }),
        ratio: z.number().nullable().meta({
          description:
            'value / expected: of what peers or healthy cards reach, or, where `basis` is spec, a share of the peak, which gives no verdict',
        }),
        percentile: z.number().nullable().meta({
          description: 'share of the other customers whose median is at most the value; null unless basis is peers',
        }),
        sample_size: z.int().meta({
          description: 'machines of other customers with a figure that passed every verdict, each by its newest result',
        }),
        customers: z.int().optional().meta({
          description:
            'Ours, additive: the customers behind sample_size. Each has one vote, its median; expected is the median of the votes where there are at least 5 of at least 8 machines, never outside the published band',
        }),
        basis: z.enum(['peers', 'reference', 'spec', 'none']).meta({
          description:
            'what `expected` is; only peers and reference make a status nominal or outperforming, and a score. reference is ours, additive',
        }),
        floor: z.number().optional().meta({
          description: 'Ours, additive: a ratio below it is underperforming; absent where nothing is expected',
        }),
        peak: z.number().optional().meta({
          description: "Ours, additive: the data sheet's peak; absent where none is known",
        }),
        reference: reference.optional().meta({
          description: 'Ours, additive: what the figure is held to, with its source; absent where nothing is known',
        }),
        not_judged: z.string().optional().meta({
          description:
            'Ours, additive: why there is no verdict beside peers or healthy cards; absent where there is one',
        }),
      }),
    ),
    own_fleet: z
      .array(z.object({ metric: z.string(), machines: z.int(), median: z.number(), ratio: z.number() }))
      .optional()
      .meta({
        description:
          "Ours, additive: value / median of the customer's other machines of the model, which have no part in `expected`",
      }),
    notes: z
      .array(z.string())
      .optional()
      .meta({ description: 'Ours, additive: what was not compared and why, such as figures by different engines' }),
  })
  .meta({ id: 'Performance' });
export type Performance = z.infer<typeof performance>;
