import { testApp, type TestApp } from '../../../support/app.ts';
import { makeUser, type TestUser } from '../../../support/client.ts';
import type { Lifetime } from '../../../support/lifetime.ts';
import type { AppOptions } from '../../../support/app-over.ts';

/** An app with limits, whose clock the test moves. */
export const limitedApp = (lifetime: Lifetime, options: AppOptions = {}): Promise<TestApp> =>
  testApp(lifetime, {
    now: new Date('2026-11-01T10:00:00Z'),
    ...options,
    environment: { RATE_LIMITS: 'on', ...options.environment },
  });

/** A user whose company has these limits. One a minute: nothing is refilled while a test runs. */
export async function limitedUser(
  app: TestApp,
  { perMinute = 1, burst }: { perMinute?: number; burst: number },
  given: Parameters<typeof makeUser>[1] = {},
): Promise<TestUser> {
  const user = await makeUser(app, given);
  await app.context.sql`
    insert into customer_terms (customer_id, requests_per_minute, burst, updated_at)
    values (${user.customerId}, ${perMinute}, ${burst}, now())`;
  return user;
}

/** What the two headers say; null without them. */
export function quotaOf(headers: Headers): { policy: string; q: number; r: number; t: number } | null {
  const policy = /^"([a-z]+)";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '');
  const state = /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
  if (!policy || !state || policy[1] !== state[1]) return null;
  return { policy: String(policy[1]), q: Number(policy[2]), r: Number(state[2]), t: Number(state[3]) };
}
