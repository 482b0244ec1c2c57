import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { addressKey } from '../address-key.ts';
import type { HttpEnv } from './http-env.ts';

/** Requests that are not answered yet, by address. */
export interface UnansweredRequests {
  /** Throws `rate_limited` if the address has too many; what it returns is to be given to `end` with the answer. */
  begin: (address: string | null) => string;
  end: (key: string) => void;
}

/** At most so many unanswered requests of one address. Behind proxies its connections cannot be counted, these can. */
export function unansweredRequests(most: number): UnansweredRequests {
  const counts = new Map<string, number>();
  return {
    begin: (address) => {
      const key = addressKey(address);
      const before = counts.get(key) ?? 0;
      if (before >= most) {
        const message = `At most ${most} requests of one address are answered at once; send this one again.`;
        throw new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
      }
      counts.set(key, before + 1);
      return key;
    },
    end: (key) => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

export function limitRequests(unanswered: UnansweredRequests): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const key = unanswered.begin(c.get('client').address);
    try {
      await next();
    } finally {
      unanswered.end(key);
    }
  };
}
