/** USD with the digits that a price of its size has. */
export const usd = (value: number | null): string =>
  value === null ? '–' : value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 0.1 ? 4 : 2);

/** Four significant digits at most. */
export const figure = (value: number | null): string =>
  value === null ? '–' : Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 6 });

export const percent = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(1)} %`;
