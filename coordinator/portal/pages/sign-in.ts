import { maySignUp } from '../../accounts/sign-up/ask-to-sign-up.ts';
import { beginSignIn } from '../../accounts/begin-sign-in.ts';
import { issueTicket } from '../../accounts/second-factor/sign-in-ticket.ts';
import { loginRequest } from '../../contract/user.ts';
import { DomainError } from '../../platform/errors.ts';
import { errorSummary, field } from '../components/field.ts';
import { note } from '../components/note.ts';
import { maySignIn } from '../frame/cookie.ts';
import { html } from '../frame/html.ts';
import { form, page, pathOf, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { endSessionHere, signedOut } from '../sessions/end-session.ts';
import { enter } from '../sessions/enter.ts';
import { codePage, setUpPage } from './sign-in-code.ts';

export const signInPages: readonly PageRoute[] = [
  get('/sign-in', { who: 'public' }, async (visit) =>
    visit.member ? seeOther(pathOf(visit.query.get('next'), '/jobs')) : signInForm(visit, new Map()),
  ),
  post('/sign-in', { who: 'public' }, signIn),
  post('/sign-out', { who: 'member' }, leave),
];

function signInForm(visit: Visit, errors: ReadonlyMap<string, string>, email = ''): Promise<Response> {
  const next = pathOf(visit.query.get('next'), '/jobs');
  const isOpen = maySignIn(visit.context.config, visit.context.client.address);
  return page(visit, {
    title: errors.size > 0 ? 'Error: Sign in' : 'Sign in',
    heading: 'Sign in',
    status: errors.size > 0 ? 422 : 200,
    body: isOpen
      ? html`${errorSummary(errors)}${form(
            visit,
            `/sign-in?next=${encodeURIComponent(next)}`,
            html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, required: true, maxlength: 254 })}
              ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true, maxlength: 1024 })}
              <p><button class="main">Sign in</button></p>`,
            'stackform',
          )}
          <p>
            ${maySignUp(visit.context) ? html`<a href="/reset">Forgot the password?</a> No account yet? <a href="/sign-up">Sign up</a>.` : 'No account, or the password forgotten? Ask those who run this service.'}
          </p>`
      : note(
          'warn',
          'Not over plain http.',
          'A password would be readable on its way. The operator sets PUBLIC_URL to an https address, or you open this page on the machine itself.',
        ),
  });
}

async function signIn(visit: Visit): Promise<Response> {
  const { context, form: given, cookie } = visit;
  if (!maySignIn(context.config, context.client.address)) throw new DomainError('forbidden', 'Sign in over https.');
  const input = loginRequest.safeParse({ email: given.get('email')?.trim(), password: given.get('password') });
  const wrong = 'The e-mail address or the password is wrong.';
  if (!input.success) return signInForm(visit, new Map([['email', wrong]]), given.get('email') ?? '');
  try {
    const step = await beginSignIn(context, { ...input.data, cookie });
    if (step.kind === 'code_owed') return await codePage(visit, await issueTicket(context, step.user));
    if (step.kind === 'enrolment_owed') return await setUpPage(visit, await issueTicket(context, step.user));
    await endSessionHere(visit);
    await enter(visit, step);
    return seeOther(pathOf(visit.query.get('next'), '/jobs'));
  } catch (error) {
    if (!(error instanceof DomainError) || !['unauthenticated', 'rate_limited'].includes(error.kind)) throw error;
    return signInForm(visit, new Map([['email', error.message]]), input.data.email);
  }
}

async function leave(visit: Visit): Promise<Response> {
  await endSessionHere(visit);
  return signedOut(visit);
}
