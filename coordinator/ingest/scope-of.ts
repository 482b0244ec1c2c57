import { basename } from 'node:path';

const DATED = /[._-]?\d{4}-?\d{2}-?\d{2}[._-]?/;
const ENDINGS = /(\.(csv|json|jsonl|zip|gz|html))+$/i;

/**
 * Which part of its source a file is, so that the next file of the same part and day takes its place: the provider it is
 * of, else its name without date and ending. `video-card.2023-07-05.json.gz` and `video-card.2025-07-23.csv.gz` are both `video-card`.
 */
export function scopeOf(name: string, provider: string | null): string {
  if (provider !== null) return provider.toLowerCase();
  const path = name.replace(/[?#].*$/, '');
  return basename(path).replace(ENDINGS, '').replace(DATED, '').slice(0, 120) || 'all';
}

/** The file's name, if it is one of several that were fetched together. */
export const fileIn = (origin: string, { name }: { name: string }): string | null => (name === origin ? null : name);
