import { z } from 'zod';

/**
 * What fp32 products were computed in. `tf32`: inputs rounded to 10 bits of mantissa by matrix units (NVIDIA's TF32, AMD's
 * XF32); `ieee fp32`: all 24 bits, on matrix units or on the ordinary lanes. `fp32_tflops` is of either kind, whatever the
 * device has first; no other metric is.
 */
export const arithmetic = z.enum(['tf32', 'ieee fp32']);
export type Arithmetic = z.infer<typeof arithmetic>;

/** Of figures of several devices. */
export type ArithmeticMark = Arithmetic | 'mixed';

const names: Readonly<Record<ArithmeticMark, string>> = {
  tf32: 'TF32',
  'ieee fp32': 'IEEE fp32',
  mixed: 'TF32 by some devices and IEEE fp32 by others',
};
export const arithmeticName = (one: Arithmetic): string => names[one];

/** Of `fp32_tflops` by what its record says, of earlier agents by its mode; null for other metrics and where nobody says. */
export function arithmeticOf(metric: string, details: Readonly<Record<string, unknown>>): Arithmetic | null {
  if (metric !== 'fp32_tflops') return null;
  const said = arithmetic.safeParse(details['arithmetic']);
  if (said.success) return said.data;
  return details['mode'] === 'tf32' ? 'tf32' : details['mode'] === 'simt' ? 'ieee fp32' : null;
}

/** Why two figures of one name stand beside each other without a verdict. Null: nobody says. */
export const otherArithmetic = (other: string, here: Arithmetic | null, there: ArithmeticMark | null): string =>
  `not compared with ${other}: computed in ${words(here)}, there in ${words(there)}; fp32_ieee_tflops and tf32_tflops are each of one kind`;

const words = (one: ArithmeticMark | null): string => (one === null ? 'an arithmetic that is not told' : names[one]);
