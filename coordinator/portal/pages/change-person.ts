import { changeRole, enableUser } from '../../accounts/members/change-member.ts';
import { revokeUser } from '../../accounts/members/revoke-user.ts';
import { removeFactorOf } from '../../accounts/second-factor/change-factor.ts';
import { role } from '../../contract/user.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword } from '../sessions/confirm-password.ts';

/** Changes of access, without roles, as forms offer them. */
export const accessChanges = [
  { value: 'end_sessions', label: 'sign out everywhere' },
  { value: 'remove_second_factor', label: 'remove the second factor' },
  { value: 'disable', label: 'disable; tokens of the applications owned end' },
  { value: 'enable', label: 'enable again' },
] as const;

/**
 * What a form says should happen to the person with that address: one of `accessChanges`, or a role. The verbs check who may;
 * the password is asked for if it was given too long ago.
 */
export async function changePerson(visit: Visit, email: string, what: string): Promise<void> {
  await confirmPassword(visit);
  if (what === 'remove_second_factor') await removeFactorOf(visit.context, email);
  else if (what === 'enable') await enableUser(visit.context, email);
  else if (what === 'disable' || what === 'end_sessions')
    await revokeUser(visit.context, { email, change: { kind: what } });
  else {
    const given = role.safeParse(what);
    if (!given.success) throw invalidField('what', 'must be one of the changes in the list');
    await changeRole(visit.context, { email, role: given.data });
  }
}
