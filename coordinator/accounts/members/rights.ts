import type { Role } from '../../contract/user.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import type { UserRow } from '../queries.ts';
import { countOthers } from './queries.ts';

/** Roles that a customer can give its own people. */
const ofCustomers: ReadonlySet<Role> = new Set(['user', 'customer_admin']);

/**
 * Checks that the actor may change that user: the operator and root admins may change anybody, staff all but root admins, a
 * customer's admins its own people. Throws `forbidden`; for people of other customers `not_found` with the address as `typed`, as
 * for an unknown one.
 */
export function mayManage(actor: Actor, user: Pick<UserRow, 'customer_id' | 'role'>, typed: string): void {
  if (actor.kind === 'system') return;
  if (actor.kind !== 'user' || actor.role === 'user')
    throw forbidden('People are managed by customer_admin and staff.');
  if (actor.role === 'root_admin') return;
  if (actor.role === 'staff') {
    if (user.role === 'root_admin') throw forbidden('A root_admin is managed by root_admin only.');
    return;
  }
  if (user.customer_id !== actor.customerId) throw unknownUser(typed);
  if (!ofCustomers.has(user.role)) throw forbidden(`A ${user.role} is managed by the operator.`);
}

/** Checks that the actor may give that role. Throws `forbidden`. */
export function mayGive(actor: Actor, role: Role): void {
  if (actor.kind === 'system') return;
  const giver = actor.kind === 'user' ? actor.role : 'user';
  const gives =
    giver === 'root_admin' ||
    (giver === 'staff' && role !== 'root_admin') ||
    (giver === 'customer_admin' && ofCustomers.has(role));
  if (!gives) throw forbidden(`You cannot give the role ${role}; your role is ${giver}.`);
}

/**
 * Keeps the last administrator from being removed, by a change of role or by disabling; the caller's transaction holds the
 * accounts lock. The operator may leave a company without one, being able to make the next, but never the service. Throws
 * `state`.
 */
export async function keepLastAdmin(tx: Queryable, actor: Actor, user: UserRow): Promise<void> {
  const isService = user.role === 'root_admin';
  if (user.disabled_at || (!isService && (user.role !== 'customer_admin' || actor.kind === 'system'))) return;
  const customerId = isService ? null : user.customer_id;
  if ((await countOthers(tx, { id: user.id, role: user.role, customerId })) > 0) return;
  const whose = isService ? 'the service' : user.company_name;
  throw new DomainError('state', `${user.email} is the last ${user.role} of ${whose}. Make another one first.`);
}

export const unknownUser = (email: string): DomainError => notFound(`A user with the e-mail address ${email}`);

const forbidden = (message: string): DomainError => new DomainError('forbidden', message);
