import { z } from 'zod';
import { figureUpTo, MOST_OF_ANY, sampleCount } from './figure-limits.ts';
import { text } from './wire.ts';

/** `absent`: there is no figure to judge. */
export const figureVerdict = z.enum(['ok', 'warn', 'bad', 'absent']);
export type FigureVerdict = z.infer<typeof figureVerdict>;

/** A verdict and the rule behind it, in words a reader can check against the figure. */
export const ruledVerdict = z.object({ verdict: figureVerdict, rule: text(400) });
export type RuledVerdict = z.infer<typeof ruledVerdict>;

/** One figure measured while all devices of the node worked at once, with the same figure of the device alone. */
export const togetherFigure = z.looseObject({
  value: figureUpTo(MOST_OF_ANY),
  alone: figureUpTo(MOST_OF_ANY),
  samples: sampleCount.optional().meta({ description: 'how many samples `value` is made of; absent: not told' }),
  alone_samples: sampleCount.optional().meta({ description: 'the same of `alone`' }),
  gap: z.number().min(-1e6).max(1).nullable().meta({ description: '1 - value / alone; null where one of them is' }),
});
export type TogetherFigure = z.infer<typeof togetherFigure>;
