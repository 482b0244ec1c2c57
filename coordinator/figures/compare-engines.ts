import {
  type Arithmetic,
  type ArithmeticMark,
  arithmeticName,
  type EngineMark,
  engineNames,
} from '../contract/matrix-engine.ts';

/** Both engines compute the same product on the same data: more than this share apart, one of them is not at its best. */
export const ENGINES_GAP_MAX = 0.15;

/** One mark for several figures, of their engines or arithmetics; null if there are none. */
export function jointMark<T extends string>(marks: readonly T[]): T | 'mixed' | null {
  const [first, ...others] = new Set(marks);
  return first === undefined ? null : others.length > 0 ? 'mixed' : first;
}

/** Why two figures stand beside each other without a verdict. `other`: what this one would have been compared with. */
export const notCompared = (other: string, here: EngineMark, there: EngineMark): string =>
  `not compared with ${other}: measured with ${engineNames[here]}, there with ${engineNames[there]}; run with --engine own on both to compare`;

/** Why two figures of one name stand beside each other without a verdict. Null: nobody says. */
export const otherArithmetic = (other: string, here: Arithmetic | null, there: ArithmeticMark | null): string =>
  `not compared with ${other}: computed in ${words(here)}, there in ${words(there)}; fp32_ieee_tflops and tf32_tflops are each of one kind`;

const words = (one: ArithmeticMark | null): string =>
  one === null ? 'an arithmetic that is not told' : arithmeticName(one);
