import type { Context } from '../platform/context.ts';
import type { DomainError } from '../platform/errors.ts';
import { recordEvent } from './audit/record-event.ts';
import { hashPassword, isOutdated, unmatchableHash, verifyPassword } from './password.ts';
import { findUserByEmail, type UserRow } from './queries.ts';
import { queueHashing } from './throttle/hashing-queue.ts';
import { countLogin, refuseInPause, type Counted } from './throttle/throttle-login.ts';
import { recogniseVisitor, type Visitor } from './throttle/visitor.ts';

interface Input {
  email: string;
  password: string;
  /** The `Cookie` header. */
  cookie?: string | undefined;
  /** Thrown if the password is wrong. */
  refusal: DomainError;
}

/** The result of a right password; `counted` is to be taken back in the transaction that uses it. */
interface Checked {
  user: UserRow;
  visitor: Visitor;
  counted: Counted;
  /** Hash of the same password with the current parameters, if the stored one was made with others. */
  renewedHash: string | null;
}

/**
 * An unknown address, a wrong or expired password and a disabled user cost one hash and the same queries, count the same and get
 * the same refusal. Throws `rate_limited` in the pause after failures, `unavailable` if too many sign-ins are waiting.
 */
export async function checkPassword(context: Context, { email, password, cookie, refusal }: Input): Promise<Checked> {
  const user = await findUserByEmail(context.sql, email);
  const visitor = await recogniseVisitor(context, { email, user, cookie });
  await refuseInPause(context, visitor);
  const hash = user?.password_hash ?? unmatchableHash(context.randomBytes);
  const isOpen = user !== null && user.disabled_at === null && !hasEnded(user, context.now());
  const { counted, matches, renewedHash } = await queueHashing(visitor, async () => {
    const attempt = await countLogin(context, visitor);
    const isRight = await verifyPassword(password, hash);
    const renews = isRight && isOpen && isOutdated(hash);
    return {
      counted: attempt,
      matches: isRight,
      renewedHash: renews ? await hashPassword(password, context.randomBytes) : null,
    };
  });
  if (!isOpen || !matches) {
    await recordFailure(context, { email, user, counted, action: 'sign_in_failed' });
    throw refusal;
  }
  return { user, visitor, counted, renewedHash };
}

/** A generated password that has expired counts as a wrong one. */
const hasEnded = ({ password_ends_at: endsAt }: UserRow, now: Date): boolean => endsAt !== null && endsAt <= now;

interface Failure {
  email: string;
  user: UserRow | null;
  counted: Counted;
  /** Which of the two was wrong. */
  action: 'sign_in_failed' | 'second_factor_failed';
}

/**
 * Records one event for each failed attempt, and one more if a pause begins; attempts in a pause are not counted and record none.
 * So one network causes at most 460 events an hour for all accounts together (100, then one in ten seconds) and twice that with
 * the pauses, one account gets 184 a day from strangers, and all strangers together cause no more than their one hashing slot
 * allows (hashing-queue.ts).
 */
export async function recordFailure(context: Context, { email, user, counted, action }: Failure): Promise<void> {
  const whose = { customerId: user?.customer_id ?? null, subject: email, ...(user && { userId: user.id }) };
  const pauses = counted.filter(({ pause }) => pause !== null);
  await context.sql.begin(async (tx) => {
    await recordEvent(context, tx, { ...whose, action });
    if (pauses.length === 0) return;
    const by = pauses.map(({ kind }) => kind);
    const until =
      pauses
        .map(({ pause }) => pause?.toISOString() ?? '')
        .toSorted()
        .at(-1) ?? '';
    await recordEvent(context, tx, { ...whose, action: 'sign_in_slowed', detail: { by, until } });
  });
}
