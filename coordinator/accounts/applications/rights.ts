import { isStaff, type Actor } from '../../platform/actor.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ApplicationRow } from './queries.ts';

type Owned = Pick<ApplicationRow, 'customer_id' | 'owner_id'>;

/** Whether the actor may change an application and its tokens: its owner, the company's administrators, staff, the operator. */
export function managesApplication(actor: Actor, { customer_id, owner_id }: Owned): boolean {
  if (actor.kind === 'system' || isStaff(actor)) return true;
  if (actor.kind !== 'user' || actor.customerId !== customer_id) return false;
  return actor.role === 'customer_admin' || actor.userId === owner_id;
}

/** Throws `forbidden`. */
export function mayManageApplication(actor: Actor, application: Owned & { name: string }): void {
  if (managesApplication(actor, application)) return;
  throw new DomainError(
    'forbidden',
    `The application ${application.name} is managed by the person who owns it and by the administrators of your company.`,
  );
}
