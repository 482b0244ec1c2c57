export interface AskedPeriods {
  /** periods by their own names */
  names: string[];
  /** days: periods that lie within */
  ranges: { from: string; to: string }[];
}

/** '2026-08' and '2026/08/01-2026/08/31', as they are written in filters, any of which a file may be of; null: all. */
export function askedPeriods(written: readonly string[]): AskedPeriods | null {
  if (written.length === 0) return null;
  const [ranges, names] = [written.filter(isRange), written.filter((text) => !isRange(text))];
  return {
    names,
    ranges: ranges.map((text) => {
      const [from = '', to = ''] = text.split('-').map((day) => day.replaceAll('/', '-'));
      return { from, to };
    }),
  };
}

const isRange = (text: string): boolean => text.includes('/');
