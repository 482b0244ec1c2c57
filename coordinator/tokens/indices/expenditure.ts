import { Big } from 'big.js';
import { LEAST_COVERAGE, type ExpenditureRow } from '../queries/index-items.ts';
import type { Figure } from '../queries/index-days.ts';

const DECIMALS = 4;
/** Decimals of the coverage, which is not part of the figure. */
const COVERAGE_DECIMALS = 6;

/**
 * V = 10^6 x sum over S of (q_in p_in + q_out p_out) / sum over S of (q_in + q_out), S the items with tokens and a price above 0:
 * USD per million paid tokens, neither rescaled nor chained. `rows`: the sums of one day, for one kind of models or several.
 */
export function expenditureOf(day: string, rows: readonly ExpenditureRow[]): Figure {
  const sum = (field: 'tokens' | 'money' | 'unsplit' | 'priced_tokens' | 'charged_tokens'): Big =>
    rows.reduce((all, row) => all.plus(row[field]), new Big(0));
  const [tokens, charged] = [sum('tokens'), sum('charged_tokens')];
  const models = rows.reduce((all, row) => all + row.models, 0);
  const coverage = charged.gt(0) ? quotient(sum('priced_tokens'), charged, COVERAGE_DECIMALS) : null;
  const reason = (): string | null => {
    if (rows.length === 0) return 'no usage of this day is stored';
    if (sum('priced_tokens').lt(charged.times(LEAST_COVERAGE)))
      return `coverage ${coverage} is below ${LEAST_COVERAGE}`;
    if (tokens.eq(0)) return 'no paid tokens';
    if (sum('unsplit').gt(0)) return 'no feed of the 28 days before splits input from output';
    return null;
  };
  const why = reason();
  const value = why === null ? quotient(sum('money'), tokens, DECIMALS) : null;
  return { day, value, coverage, models, tokens: tokens.toFixed(), reason: why };
}

/** a / b for non-negative numbers, rounded half up to `decimals`, exact: floor((2 a 10^d + b) / (2 b)) / 10^d in integers. */
function quotient(a: Big, b: Big, decimals: number): string {
  const digits = Math.max(decimalsOf(a), decimalsOf(b));
  const [over, under] = [a, b].map((number) => BigInt(number.times(`1e${digits}`).toFixed(0)));
  if (over === undefined || under === undefined || under <= 0n)
    throw new RangeError('a quotient needs a divisor above 0');
  const scaled = (2n * over * 10n ** BigInt(decimals) + under) / (2n * under);
  const text = scaled.toString().padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

const decimalsOf = (number: Big): number => number.toFixed().split('.')[1]?.length ?? 0;
