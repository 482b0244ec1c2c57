import {
  type Arithmetic,
  type ArithmeticMark,
  arithmeticName,
  type EngineMark,
  engineNames,
} from '../contract/matrix-engine.ts';

/** Both engines compute the same product on the same data: if they differ by more than this share, a remark says so. */
export const ENGINES_GAP_MAX = 0.15;

/** The joint mark of the engines or arithmetics of several figures; null if there are none. */
export function jointMark<T extends string>(marks: readonly T[]): T | 'mixed' | null {
  const [first, ...others] = new Set(marks);
  return first === undefined ? null : others.length > 0 ? 'mixed' : first;
}

/** Why two figures are shown together without a verdict. `other`: what this one would have been compared with. */
export const notCompared = (other: string, here: EngineMark, there: EngineMark): string =>
  `not compared with ${other}: measured with ${engineNames[here]}, there with ${engineNames[there]}; run with --engine own on both to compare`;

/** Why two figures of the same name are shown together without a verdict. A null arithmetic is unknown. */
export const otherArithmetic = (other: string, here: Arithmetic | null, there: ArithmeticMark | null): string =>
  `not compared with ${other}: computed in ${words(here)}, there in ${words(there)}; fp32_ieee_tflops and tf32_tflops are each of one kind`;

const words = (one: ArithmeticMark | null): string => (one === null ? 'an unknown arithmetic' : arithmeticName(one));
