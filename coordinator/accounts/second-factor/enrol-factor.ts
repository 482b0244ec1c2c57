import type { Context } from '../../platform/context.ts';
import { invalidField } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { SignedIn } from '../open-sign-in.ts';
import { goOnAlone } from './go-on-alone.ts';
import { personOf } from './person-of.ts';
import { notProposed } from './propose-factor.ts';
import { enrolFactor as storeEnrolment, findFactor, replaceRecoveryCodes } from './queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

interface Input {
  /** Null for the person signed in. */
  ticket: string | null;
  code: string;
}

/**
 * The first code proves that the app has the proposed secret: from now on sign-ins ask for a code, all sessions end and the
 * caller continues in a new one. Recovery codes are shown only once. Throws `state` if no secret was proposed, and a validation
 * error of `code`; guesses need no limit, since the secret is shown on the same page.
 */
export async function enrolFactor(
  context: Context,
  { ticket, code }: Input,
): Promise<SignedIn & { recoveryCodes: string[] }> {
  const user = await personOf(context, ticket);
  const now = context.now();
  const factor = await findFactor(context.sql, user.id);
  // Before the code is compared: guesses are not counted here, so codes of an enrolled factor must not be tried.
  if (factor === null || factor.enrolled_at !== null) throw notProposed();
  const step = stepOfCode(factor.secret, code.replaceAll(/\s/g, ''), now);
  if (step === null) throw wrongFirstCode();
  const made = makeRecoveryCodes(context.randomBytes);
  const goOn = await context.sql.begin(async (tx) => {
    if (!(await storeEnrolment(tx, { userId: user.id, secret: factor.secret, step, now }))) throw notProposed();
    await replaceRecoveryCodes(tx, user.id, made.hashes);
    const whose = { customerId: user.customer_id, userId: user.id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'second_factor_enrolled' });
    return goOnAlone(context, tx, user);
  });
  return { ...(await goOn()), recoveryCodes: made.codes };
}

const wrongFirstCode = () =>
  invalidField('code', 'is not what the app shows now for this secret; the clock of the phone must be right');
