import { attempt } from '../frame/attempt.ts';
import { pathOf, seeOther } from '../frame/layout.ts';
import { post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword } from '../sessions/confirm-password.ts';
import { CONFIRM, passwordPage } from '../sessions/password-first.ts';

async function confirm(visit: Visit): Promise<Response> {
  const next = pathOf(visit.form.get('next'), '/account');
  const tried = await attempt(() => confirmPassword(visit));
  return 'errors' in tried ? passwordPage(visit, next, tried.errors) : seeOther(next);
}

export const confirmPages: readonly PageRoute[] = [post(CONFIRM, { who: 'member' }, confirm)];
