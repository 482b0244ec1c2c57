import { isRetail, longTerms, priceTypes } from '../contract/price-type.ts';
import { monthLines, type MonthKnot } from './month-lines.ts';

interface TermPoint {
  /** months */
  tenor: number;
  /** USD per GPU hour */
  term: number;
  forward: number;
  basis: string;
}

/** Terms for which providers publish rates; the curve is interpolated between them. */
const publishedTerms: ReadonlySet<number> = new Set([
  0,
  ...priceTypes.filter((type) => type > 0 && !isRetail(type)),
  ...longTerms,
]);

const shapes: Readonly<Record<string, MonthKnot['shape']>> = {
  observed: 'filled',
  ratio: 'hollow',
  capped: 'triangle',
};

/**
 * A forward curve: the average rate of a contract up to each month, and the rate of that half-month alone; knot shapes
 * show the source.
 */
export function termLines(points: readonly TermPoint[], width: number): string {
  const lines = [
    { name: 'whole contract', points: points.map(({ tenor, term }) => ({ month: tenor, value: term })) },
    { name: 'that half month alone', points: points.map(({ tenor, forward }) => ({ month: tenor, value: forward })) },
  ];
  const knots = points.flatMap(({ tenor, term, basis }): MonthKnot[] => {
    const shape = shapes[basis];
    return shape === undefined || !publishedTerms.has(tenor) ? [] : [{ month: tenor, value: term, shape }];
  });
  return monthLines(lines, { unit: 'USD per GPU hour', width, knots });
}
