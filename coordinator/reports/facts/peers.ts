import { MAD_TO_SIGMA, median } from '../../figures/statistics.ts';
/** Outlier limits: distance from the median in scaled median absolute deviations, and as a share of the median. */
const MAD_LIMIT = 3.5;
const SMALLEST_SHARE = 0.03;
/** With fewer values, a median does not show which of them is the outlier. */
const SMALLEST_GROUP = 3;

interface PeerValue {
  name: string;
  value: number;
}

export interface Standing extends PeerValue {
  /** value / median - 1 */
  deviation: number;
  outlier: boolean;
  /** values in its group, itself included */
  of: number;
}

/**
 * How each value compares with its peers. An outlier is at least 3 % from the group's median and more than 3.5 scaled
 * median absolute deviations. Empty for fewer than three values or a median of 0.
 */
export function standings(values: PeerValue[]): Standing[] {
  const middle = median(values.map(({ value }) => value));
  if (values.length < SMALLEST_GROUP || middle === 0) return [];
  const spread = median(values.map(({ value }) => Math.abs(value - middle))) * MAD_TO_SIGMA;
  return values.map((one) => {
    const distance = Math.abs(one.value - middle);
    const outlier = distance / Math.abs(middle) >= SMALLEST_SHARE && distance > MAD_LIMIT * spread;
    return { name: one.name, value: one.value, deviation: one.value / middle - 1, outlier, of: values.length };
  });
}
