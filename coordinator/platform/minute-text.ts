/** An instant in UTC to the minute, for people: `2026-11-25 22:02`. A string must be ISO 8601 in UTC. */
export const minuteText = (at: Date | string): string =>
  (typeof at === 'string' ? at : at.toISOString()).slice(0, 16).replace('T', ' ');
