import { createUser } from '../../../coordinator/accounts/create-user.ts';
import { logIn } from '../../../coordinator/accounts/begin-sign-in.ts';
import { revokeUser } from '../../../coordinator/accounts/members/revoke-user.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchDatabase } from './bench-database.ts';
import { seedContext } from './seed.ts';

const ROUNDS = 200;
const WARM_UP = 10;
/** Accounts of each kind: enough that none reaches the number of failures that starts a pause (80 from strangers). */
const ACCOUNTS = 10;
const PASSWORD = 'correct horse battery';
const user = {
  password: PASSWORD,
  company: 'Bench',
  role: 'user',
  tier: null,
  firstName: 'Ada',
  lastName: 'L',
} as const;
const ways = ['wrong', 'unknown', 'disabled'] as const;
type Way = (typeof ways)[number];

/**
 * How long a refused sign-in takes: with a wrong password, for an address without an account, for a disabled account
 * with the right password. The three alternate, in a different order each round, and each attempt comes from a network
 * of its own, so that none is throttled.
 */
export async function benchSignIn(): Promise<BenchRow[]> {
  const database = await benchDatabase();
  try {
    const context = seedContext(database.sql);
    for (let number = 0; number < ACCOUNTS; number += 1) {
      await createUser(context, { ...user, email: addressOf('wrong', number) });
      const email = addressOf('disabled', number);
      await createUser(context, { ...user, email });
      await revokeUser(context, { email, change: { kind: 'disable' } });
    }
    const taken: Record<Way, number[]> = { wrong: [], unknown: [], disabled: [] };
    for (let round = -WARM_UP; round < ROUNDS; round += 1)
      for (const place of ways.keys()) {
        const way = ways[(place + round + WARM_UP) % ways.length] ?? 'wrong';
        const ms = await refused(context, { way, round: round + WARM_UP });
        if (round >= 0) taken[way].push(ms);
      }
    return [
      row('an unknown address', taken.unknown, taken.wrong),
      row('a disabled account', taken.disabled, taken.wrong),
    ];
  } finally {
    await database.close();
  }
}

const addressOf = (way: Way, number: number): string => `${way}${'x'.repeat(10 - way.length)}${number}@example.com`;

async function refused(context: Context, { way, round }: { way: Way; round: number }): Promise<number> {
  const address = `10.${ways.indexOf(way)}.${round}.1`;
  const from = { ...context, client: { address, country: null } };
  const password = way === 'disabled' ? PASSWORD : 'not the right password';
  const began = performance.now();
  const answer = await logIn(from, { email: addressOf(way, round % ACCOUNTS), password }).then(
    () => 'in',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  const ms = performance.now() - began;
  if (answer !== 'The e-mail address or the password is wrong.')
    throw new Error(`${way} got another answer: ${answer}`);
  return ms;
}

function row(name: string, ours: readonly number[], wrong: readonly number[]): BenchRow {
  const [mine, theirs] = [median(ours), median(wrong)];
  return {
    name: `sign-in, ${name}`,
    ours: mine,
    peer: theirs,
    unit: 'ms',
    // In either direction: being faster gives an account away just as being slower does.
    ratio: Math.max(mine, theirs) / Math.min(mine, theirs),
    target: { atMost: 1.05 },
    note: `a wrong password; medians of ${ours.length}, alternating`,
  };
}
