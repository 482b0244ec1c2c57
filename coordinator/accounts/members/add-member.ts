import type { Role, Tier } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { isStaff } from '../../platform/actor.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { createMailer } from '../../platform/mail/create-mailer.ts';
import { insertCompany, insertUserOf } from '../create-user.ts';
import { unmatchableHash } from '../password.ts';
import { linkMail } from '../passwords/link-mail.ts';
import { linkHours, makeLink } from '../passwords/make-link.ts';
import { findCustomerByName, lockAccounts } from '../queries.ts';
import { countMembers } from './queries.ts';
import { mayGive } from './rights.ts';

export const MOST_MEMBERS = 1000;

interface NewMember {
  email: string;
  role: Role;
  firstName: string;
  lastName: string;
  /** Null for the caller's own company. */
  company: string | null;
  /** The company is a new one, with this tier; default: it exists. */
  newWithTier?: Tier;
}

/**
 * Adds a user without a usable password, and a link, valid for seven days, that sets the first one. The link is mailed; if mail
 * is not set up or the server refuses it, the caller passes it on. Throws `conflict` for a known address and for
 * a new company whose name is taken, `state` for a full company.
 */
export async function addMember(
  context: Context,
  member: NewMember,
): Promise<{ userId: string; link: string; mailed: boolean }> {
  mayGive(context.actor, member.role);
  const { userId, link } = await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    const customerId = await customerOf(context, tx, member);
    if ((await countMembers(tx, customerId)) >= MOST_MEMBERS)
      throw new DomainError('state', `A company has at most ${MOST_MEMBERS} people.`);
    const { email, role, firstName, lastName } = member;
    const passwordHash = unmatchableHash(context.randomBytes);
    const id = await insertUserOf(context, tx, { email, role, firstName, lastName, customerId, passwordHash });
    const user = { id, email: email.toLowerCase(), customer_id: customerId };
    return { userId: id, link: await makeLink(context, tx, { user, hours: linkHours.invited, by: 'invitation' }) };
  });
  return { userId, link, mailed: await mailed(context, member.email, link) };
}

async function customerOf(
  context: Context,
  tx: Queryable,
  { company, newWithTier }: Pick<NewMember, 'company' | 'newWithTier'>,
): Promise<string> {
  const { actor } = context;
  if (actor.kind === 'user' && company === null) return actor.customerId;
  if (actor.kind !== 'system' && !isStaff(actor))
    throw new DomainError('forbidden', 'You can add people to your own company only. Omit company.');
  const customer = company === null ? null : await findCustomerByName(tx, company);
  if (newWithTier !== undefined && company !== null) {
    if (customer !== null) throw new DomainError('conflict', `A company ${company} exists.`);
    return insertCompany(context, tx, { company, tier: newWithTier });
  }
  if (!customer) throw notFound(`The company ${company ?? ''}`);
  return customer.id;
}

async function mailed(context: Context, to: string, link: string): Promise<boolean> {
  const send = createMailer(context.config);
  if (send === null) return false;
  try {
    await send(linkMail(to, { link, hours: linkHours.invited, reason: 'invited' }));
    return true;
  } catch (error) {
    context.log.warn({ err: error, request_id: context.requestId }, 'an invitation was not sent');
    return false;
  }
}
