import type { Sql } from './client.ts';

/** What another process may have changed: data that copies are held of, credentials, the work queue, plans of networks, jobs. */
export const newsWords = ['data', 'revocation', 'work', 'run', 'job'] as const;
export type NewsWord = (typeof newsWords)[number];

const hearers = new WeakMap<Sql, Map<NewsWord, Set<() => void>>>();

/**
 * Calls `heard` when a change of that kind was told, by any process, over the database of this pool. Only haste: a process that
 * asks for it looks now and then anyway, since words can be lost. Returns what ends it.
 */
export function onNews(sql: Sql, word: NewsWord, heard: () => void): () => void {
  const words = hearers.get(sql) ?? new Map<NewsWord, Set<() => void>>();
  hearers.set(sql, words);
  const all = words.get(word) ?? new Set();
  words.set(word, all.add(heard));
  return () => void all.delete(heard);
}

export function passOn(sql: Sql, word: NewsWord): void {
  for (const heard of hearers.get(sql)?.get(word) ?? []) heard();
}
