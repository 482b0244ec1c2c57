// Created once: `toLocaleString` creates a formatter for each number, which takes twelve times as long as formatting
// it.
const grouped = new Intl.NumberFormat('en');
const atMostSix = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** 2032 becomes 2,032. */
export const whole = (value: number): string => grouped.format(value);

/** USD with as many decimals as a price of that size needs. */
export const usd = (value: number | null): string =>
  value === null ? '–' : value >= 1000 ? whole(Math.round(value)) : value.toFixed(value < 0.1 ? 4 : 2);

/** At most four significant digits. */
export const figure = (value: number | null): string =>
  value === null ? '–' : atMostSix.format(Number(value.toPrecision(4)));

export const percent = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(1)} %`;

/** Three significant digits, whole numbers from 1000: no figure of a job is more repeatable than that between runs. */
export const digits = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) >= 1000 ? whole(Math.round(value)) : value.toPrecision(3);
