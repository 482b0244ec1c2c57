import { columnsOf, type Terms } from './design.ts';

/** By name of a column; a name that is missing counts 0. */
export type Coefficients = ReadonlyMap<string, number>;

/** Log of the price that the fixed part gives: random effects are zero for those who are not named. */
export const predictLog = (coefficients: Coefficients, terms: Terms): number =>
  columnsOf(terms).reduce((sum, [name, value]) => sum + value * (coefficients.get(name) ?? 0), 0);
