import { DomainError } from '../../platform/errors.ts';

/** Whom a stream counts for. */
export interface Owners {
  customer: string;
  /** a browser's session, or a link that was shared */
  session: string;
}

/** Streams at a time. A browser keeps six connections to one place, and pages need some of them. */
const most = { all: 1000, customer: 50, session: 4 } as const;
const open = new Map<string, number>();
let all = 0;

/** Counts one more stream until what is returned is called; throws `unavailable` if there are enough. */
export function countStream({ customer, session }: Owners): () => void {
  const keys = [`customer ${customer}`, session];
  const counts = keys.map((key) => open.get(key) ?? 0);
  if (all >= most.all || (counts[0] ?? 0) >= most.customer || (counts[1] ?? 0) >= most.session)
    throw new DomainError('unavailable', 'Too many live pages are open. Close one of them.', { retryAfterSeconds: 30 });
  all += 1;
  for (const key of keys) open.set(key, (open.get(key) ?? 0) + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    all -= 1;
    for (const key of keys) {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
