import { median } from '../../figures/statistics.ts';

/** With fewer values, a median does not show which of them is the odd one. */
const SMALLEST_GROUP = 3;

interface PeerValue {
  name: string;
  value: number;
  /** by the judgement, which alone decides who is an outlier */
  marked: boolean;
}

export interface Standing extends PeerValue {
  /** value / median - 1 */
  deviation: number;
  /** values in its group, itself included */
  of: number;
}

/** How far each value is from the median of its peers. Empty for fewer than three values or a median of 0. */
export function standings(values: readonly PeerValue[]): Standing[] {
  const middle = median(values.map(({ value }) => value));
  if (values.length < SMALLEST_GROUP || middle === 0) return [];
  return values.map(({ name, value, marked }) => ({
    name,
    value,
    marked,
    deviation: value / middle - 1,
    of: values.length,
  }));
}
