const UNITS: Record<string, string> = { us: 'µs', C: '°C' };

export const unitText = (unit: string): string => UNITS[unit] ?? unit;

/** A figure with its unit; a count is a whole number without one. */
export const measureText = (value: number, unit: string): string =>
  unit === 'count' ? String(value) : `${figureText(value)} ${unitText(unit)}`;

/** Four significant digits, never in exponent form: 0.04661, 48.31, 2971. */
export function figureText(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 9));
}

/** 0.0123 -> `1.2 %`. */
export const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`;

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
