const DAY_MS = 86_400_000;

export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Monday to Friday of a range, both ends included. Holidays differ by country, and clouds sell on all of them. */
export function businessDays(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shiftDay(day, 1)) {
    const weekday = new Date(Date.parse(day)).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.push(day);
  }
  return days;
}
