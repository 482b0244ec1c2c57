import type { Role } from '../../contract/user.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import type { UserRow } from '../queries.ts';
import { countOthers } from './queries.ts';

/** What a customer gives its people itself. */
const ofCustomers: ReadonlySet<Role> = new Set(['user', 'customer_admin']);

/**
 * Who may change that user: the operator and root admins anybody, staff all but root admins, a customer's admins its own people.
 * Throws `forbidden`, and `not_found` for people of others as for nobody, with the address as it was `typed`.
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

/** Which role one may give. Throws `forbidden`. */
export function mayGive(actor: Actor, role: Role): void {
  if (actor.kind === 'system') return;
  const giver = actor.kind === 'user' ? actor.role : 'user';
  const gives =
    giver === 'root_admin' ||
    (giver === 'staff' && role !== 'root_admin') ||
    (giver === 'customer_admin' && ofCustomers.has(role));
  if (!gives) throw forbidden(`The role ${role} is not yours to give; your role is ${giver}.`);
}

/**
 * Nobody takes the last administrator away, by a change of role or by disabling, in the transaction that holds the accounts
 * lock. The operator may leave a company without one, since the operator can make the next; never the service.
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
