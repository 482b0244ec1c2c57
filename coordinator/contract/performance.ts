import { z } from 'zod';

export const performanceStatus = z.enum(['underperforming', 'nominal', 'outperforming', 'unknown']);
export type PerformanceStatus = z.infer<typeof performanceStatus>;

/** How a job compares with jobs of its kind; null unless requested by `include=performance`. */
export const performance = z
  .object({
    status: performanceStatus,
    score: z.number().nullable().meta({
      description: '100 times the geometric mean of the ratios, whatever their basis; 100 is usual only beside peers',
    }),
    metrics: z.array(
      z.object({
        metric: z.string(),
        value: z.number(),
        expected: z.number().nullable().meta({
          description:
            'by `basis`: peers: the median of the votes of other customers; spec: the peak of the data sheet, which no card reaches; none: null',
        }),
        ratio: z.number().nullable().meta({
          description: 'value / expected: of what peers reach, or, where `basis` is spec, a share of the peak',
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
        basis: z.enum(['peers', 'spec', 'none']),
        floor: z.number().optional().meta({
          description: 'Ours, additive: a ratio below it is underperforming; absent where nothing is expected',
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
