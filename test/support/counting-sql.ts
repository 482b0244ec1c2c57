import type { Sql } from '../../coordinator/platform/db/client.ts';

/** The pool, and how many statements and their parts were asked of it, within transactions too, since `begin`. */
export function countingSql(sql: Sql): { sql: Sql; count: () => number } {
  let counted = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      apply: (called, self, given) => {
        counted += 1;
        return Reflect.apply(called as (...all: unknown[]) => unknown, self, given);
      },
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (name !== 'begin' || typeof value !== 'function') return value;
        return (work: (tx: object) => unknown) => {
          counted += 1;
          return Reflect.apply(value, of, [(tx: object) => work(counting(tx))]) as unknown;
        };
      },
    });
  return {
    sql: counting(sql),
    count: () => {
      const since = counted;
      counted = 0;
      return since;
    },
  };
}
