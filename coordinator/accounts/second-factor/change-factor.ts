import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { SignedIn } from '../open-sign-in.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { wrongCode } from './finish-sign-in.ts';
import { goOnAlone } from './go-on-alone.ts';
import { personOf } from './person-of.ts';
import { deleteFactor, replaceRecoveryCodes, selectUsersWithoutFactor, setFactorRule } from './queries.ts';
import { tryCode } from './use-code.ts';
import { DomainError } from '../../platform/errors.ts';
import { mayManage, unknownUser } from '../members/rights.ts';
import { findUserByEmail, findUser, lockAccounts } from '../queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/**
 * Removes the caller's own factor, given one of its codes. All sessions end and the caller continues in a new one; null in a
 * company that requires a factor, where the next sign-in has to set up another. Throws a validation error of `code`,
 * `rate_limited`.
 */
export async function removeFactor(
  context: Context,
  { code, cookie }: { code: string; cookie: string | undefined },
): Promise<SignedIn | null> {
  const user = await personOf(context, null);
  const goOn = await tryCode(context, { user, code, cookie, refusal: wrongCode() }, async (tx) => {
    await deleteFactor(tx, user.id);
    const whose = { customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'second_factor_removed', detail: { by: 'its owner' } });
    if (!user.requires_second_factor) return { finish: await goOnAlone(context, tx, user) };
    await endSessionsOf(tx, user.id, context.now());
    await countRevocation(tx);
    return { finish: () => null };
  });
  return goOn.finish();
}

/**
 * Removes the factor of a person who has lost the app and the recovery codes, for the operator or an administrator. All sessions
 * of the person end. Throws `not_found`; `forbidden`, also for the caller's own factor, which takes a code; `state` if there is
 * none.
 */
export async function removeFactorOf(context: Context, email: string): Promise<{ email: string; company: string }> {
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw unknownUser(email);
    const { actor } = context;
    mayManage(actor, user, email);
    if (actor.kind === 'user' && actor.userId === user.id)
      throw new DomainError('forbidden', 'Remove your own second factor under Account, with one of its codes.');
    if (!(await deleteFactor(tx, user.id))) throw new DomainError('state', `${user.email} has no second factor.`);
    await endSessionsOf(tx, user.id, context.now());
    const whose = { customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'second_factor_removed', detail: { by: 'an administrator' } });
    await countRevocation(tx);
    return { email: user.email, company: user.company_name };
  });
}

/** Replaces the caller's recovery codes by ten new ones, shown only once. Takes a code of the factor; old ones stop working. */
export async function renewRecoveryCodes(
  context: Context,
  { code, cookie }: { code: string; cookie: string | undefined },
): Promise<string[]> {
  const user = await personOf(context, null);
  const made = makeRecoveryCodes(context.randomBytes);
  await tryCode(context, { user, code, cookie, refusal: wrongCode() }, async (tx) => {
    await replaceRecoveryCodes(tx, user.id, made.hashes);
    await recordEvent(context, tx, {
      action: 'recovery_codes_made',
      customerId: user.customer_id,
      subject: user.email,
    });
  });
  return made.codes;
}

/**
 * Sets whether everybody in the caller's company has to have a second factor. Once it is required, the sessions of people without
 * one end, and they have to set one up after the password, before anything else. Throws `forbidden`, and `state` if the caller
 * has none and would lose their own session.
 */
export async function requireFactor(context: Context, isRequired: boolean): Promise<void> {
  const { actor } = context;
  if (actor.kind !== 'user' || actor.role === 'user')
    throw new DomainError('forbidden', 'What a company requires is set by customer_admin and staff.');
  const { customerId, userId } = actor;
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    const user = await findUser(tx, userId);
    if (isRequired && user?.has_second_factor !== true)
      throw new DomainError('state', 'Set up a second factor of your own first, under Account.');
    await setFactorRule(tx, customerId, isRequired);
    if (isRequired)
      for (const id of await selectUsersWithoutFactor(tx, customerId)) await endSessionsOf(tx, id, context.now());
    const subject = user?.company_name ?? customerId;
    const detail = { require_second_factor: isRequired };
    await recordEvent(context, tx, { action: 'second_factor_rule_changed', customerId, subject, detail });
    await countRevocation(tx);
  });
}
