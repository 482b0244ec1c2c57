/** Hours of a month: a year of 365.25 days over 12. */
export const HOURS_PER_MONTH = 730.5;
const WATTS_PER_KW = 1000;

/** What renting and buying one GPU cost, USD. */
export interface Costs {
  /** USD per GPU hour of each month in turn */
  rates: readonly number[];
  /** share of the hours */
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
  /** in all so far */
  rent: number;
  /** in all so far, less what the GPU would be sold for now */
  buy: number;
}

/** Money in all at the end of each month. */
export function monthsOf({ rates, utilisation, retail, resale, watts, electricity }: Costs): Month[] {
  const hours = HOURS_PER_MONTH * utilisation;
  const power = (watts / WATTS_PER_KW) * hours * electricity;
  let rent = 0;
  return rates.map((rate, at) => {
    rent += rate * hours;
    return { month: at + 1, rent_rate: rate, rent, buy: retail - resale + power * (at + 1) };
  });
}

/** Where the two lines meet, months from the start, linear within a month; null: not within them. */
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
