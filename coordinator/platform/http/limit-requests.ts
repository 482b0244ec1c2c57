import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { addressKey } from '../address-key.ts';
import type { HttpEnv } from './http-env.ts';

/** At most so many unanswered requests of one address. Behind proxies its connections cannot be counted, these can. */
export function limitRequests(most: number): MiddlewareHandler<HttpEnv> {
  const unanswered = new Map<string, number>();
  return async (c, next) => {
    const key = addressKey(c.get('client').address);
    const before = unanswered.get(key) ?? 0;
    if (before >= most) {
      const message = `At most ${most} requests of one address are answered at once; send this one again.`;
      throw new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    unanswered.set(key, before + 1);
    try {
      await next();
    } finally {
      const left = (unanswered.get(key) ?? 1) - 1;
      if (left > 0) unanswered.set(key, left);
      else unanswered.delete(key);
    }
  };
}
