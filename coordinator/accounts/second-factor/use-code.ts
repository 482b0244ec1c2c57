import type { DomainError } from '../../platform/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { recordEvent } from '../audit/record-event.ts';
import { recordFailure } from '../check-password.ts';
import type { UserRow } from '../queries.ts';
import { countLogin, forgiveLogin, refuseInPause, type Counted } from '../throttle/throttle-login.ts';
import { recogniseVisitor, type Visitor } from '../throttle/visitor.ts';
import { countRecoveryCodes, findFactor, takeRecoveryCode, takeStep } from './queries.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

interface Attempt {
  user: UserRow;
  code: string;
  visitor: Visitor;
  /** how this attempt has already been counted */
  counted: Counted;
  /** What is thrown if the code is wrong. */
  refusal: DomainError;
}

/**
 * Uses up a code of the app or a recovery code, and does `work` in the same transaction. A wrong code stays counted like a wrong
 * password; the count of a right one is taken back. Throws the refusal.
 */
export async function withCode<T>(context: Context, attempt: Attempt, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const { user, code, visitor, counted, refusal } = attempt;
  const done = await context.sql.begin(async (tx) => {
    if (!(await isTaken(context, tx, user, code))) return null;
    await forgiveLogin(context, tx, { visitor, counted, userId: user.id });
    return { result: await work(tx) };
  });
  if (done !== null) return done.result;
  await recordFailure(context, { email: user.email, user, counted, action: 'second_factor_failed' });
  throw refusal;
}

/** The same for an attempt not counted yet, because no password came with the code. Throws `rate_limited` in a pause. */
export async function tryCode<T>(
  context: Context,
  { cookie, ...attempt }: Pick<Attempt, 'user' | 'code' | 'refusal'> & { cookie: string | undefined },
  work: (tx: Queryable, visitor: Visitor) => Promise<T>,
): Promise<T> {
  const { user } = attempt;
  const visitor = await recogniseVisitor(context, { email: user.email, user, cookie });
  await refuseInPause(context, visitor);
  const counted = await countLogin(context, visitor);
  return withCode(context, { ...attempt, visitor, counted }, (tx) => work(tx, visitor));
}

async function isTaken(context: Context, tx: Queryable, user: UserRow, code: string): Promise<boolean> {
  const now = context.now();
  const hash = readRecoveryCode(code);
  if (hash === null) {
    const factor = await findFactor(tx, user.id);
    const step = factor && stepOfCode(factor.secret, code.replaceAll(/\s/g, ''), now);
    return step !== null && takeStep(tx, user.id, step);
  }
  if (!(await takeRecoveryCode(tx, user.id, hash, now))) return false;
  const whose = { customerId: user.customer_id, userId: user.id, subject: user.email };
  const left = await countRecoveryCodes(tx, user.id);
  await recordEvent(context, tx, { ...whose, action: 'recovery_code_used', detail: { left } });
  return true;
}
