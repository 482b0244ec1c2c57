interface Options {
  lifetimeMs: number;
  /** The one that was asked for longest ago makes room. */
  maxEntries: number;
  now: () => Date;
}

/**
 * `load` by key, each answer kept for `lifetimeMs`; callers that ask at the same time share one load. Failures are not kept,
 * and neither is an absence (null or undefined): what was not there may be there now.
 */
export function shortCache<T>(options: Options, load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const entries = new Map<string, { value: Promise<T>; until: number }>();
  return (key) => {
    const time = options.now().getTime();
    const known = entries.get(key);
    if (known && known.until > time) {
      // The only entry is the newest as well; caches of one are asked with every request.
      if (entries.size > 1) {
        entries.delete(key);
        entries.set(key, known);
      }
      return known.value;
    }
    entries.delete(key);
    const oldest = entries.keys().next();
    if (entries.size >= options.maxEntries && !oldest.done) entries.delete(oldest.value);
    const value = load(key);
    entries.set(key, { value, until: time + options.lifetimeMs });
    const forget = () => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    value.then((answer) => (answer === null || answer === undefined) && forget(), forget);
    return value;
  };
}
