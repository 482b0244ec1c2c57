interface Entry<V> {
  value: V;
  until: number;
}

/** Holds at most `most` values by key; evicts the least recently used. */
export class Cache<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `time` and `until` are milliseconds on any clock, as long as it is the same one; without them a value does not expire. */
  get(key: K, time = 0): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until <= time) {
      this.#entries.delete(key);
      return undefined;
    }
    // The order of use matters only when an eviction is near; each move uses up a slot of the map's hash table.
    if (this.#entries.size > this.#most / 2 && this.#entries.size > 1) this.#put(key, entry);
    return entry.value;
  }

  set(key: K, value: V, until = Number.POSITIVE_INFINITY): void {
    const isNew = !this.#entries.has(key);
    const oldest = this.#entries.keys().next();
    if (isNew && this.#entries.size >= this.#most && !oldest.done) this.#entries.delete(oldest.value);
    this.#put(key, { value, until });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Makes the entry the most recently used. */
  #put(key: K, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }
}

/**
 * The cached value of the key, else the result of `load`, shared by all concurrent callers. Neither failures nor absent values
 * (null or undefined) stay cached: a value absent before may exist now.
 */
export function loadOnce<K, V>(
  cache: Cache<K, Promise<V>>,
  key: K,
  load: () => Promise<V>,
  { time, until }: { time?: number; until?: number } = {},
): Promise<V> {
  const known = cache.get(key, time);
  if (known !== undefined) return known;
  const value = load();
  cache.set(key, value, until);
  const forget = () => {
    if (cache.get(key) === value) cache.delete(key);
  };
  value.then((answer) => (answer === null || answer === undefined) && forget(), forget);
  return value;
}

interface ShortCacheOptions {
  lifetimeMs: number;
  maxEntries: number;
  now: () => Date;
}

/** Wraps `load` so that the result for each key is cached for `lifetimeMs`. */
export function shortCache<T, K = string>(
  { lifetimeMs, maxEntries, now }: ShortCacheOptions,
  load: (key: K) => Promise<T>,
): (key: K) => Promise<T> {
  const cache = new Cache<K, Promise<T>>(maxEntries);
  return (key) => {
    const time = now().getTime();
    return loadOnce(cache, key, () => load(key), { time, until: time + lifetimeMs });
  };
}
