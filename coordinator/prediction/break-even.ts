/** Hours in a month: a year of 365.25 days divided by 12. */
export const HOURS_PER_MONTH = 730.5;
const WATTS_PER_KW = 1000;

/** What the costs of renting and buying one GPU depend on, USD. */
export interface Costs {
  /** USD per GPU hour, one for each month */
  rates: readonly number[];
  /** share of the hours in which the GPU works */
  utilisation: number;
  retail: number;
  resale: number;
  watts: number;
  /** USD per kWh */
  electricity: number;
}

interface Month {
  month: number;
  rent_rate: number;
  /** cumulative */
  rent: number;
  /** cumulative, less what the GPU can be sold for */
  buy: number;
}

/** Cumulative costs at the end of each month. */
export function monthsOf({ rates, utilisation, retail, resale, watts, electricity }: Costs): Month[] {
  const hours = HOURS_PER_MONTH * utilisation;
  const power = (watts / WATTS_PER_KW) * hours * electricity;
  let rent = 0;
  return rates.map((rate, at) => {
    rent += rate * hours;
    return { month: at + 1, rent_rate: rate, rent, buy: retail - resale + power * (at + 1) };
  });
}

/** Months from the start until both cost the same, linear within a month; null if not within these months. */
export function breakEven(costs: Costs): number | null {
  let before = { month: 0, rent: 0, buy: costs.retail - costs.resale };
  if (before.buy <= 0) return 0;
  for (const now of monthsOf(costs)) {
    const [was, is] = [before.buy - before.rent, now.buy - now.rent];
    if (is <= 0) return before.month + was / (was - is);
    before = now;
  }
  return null;
}
