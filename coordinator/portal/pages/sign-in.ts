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
  get('/', { who: 'public' }, async (visit) => (visit.member ? seeOther('/jobs') : welcome(visit))),
  get('/sign-in', { who: 'public' }, async (visit) =>
    visit.member ? seeOther(pathOf(visit.query.get('next'), '/jobs')) : signInForm(visit, new Map()),
  ),
  post('/sign-in', { who: 'public' }, signIn),
  post('/sign-out', { who: 'member' }, leave),
];

const welcome = (visit: Visit): Promise<Response> =>
  page(visit, {
    title: 'Measure GPU machines',
    body: html`<div class="narrow-text">
      <p>
        One line on each machine measures its GPUs, its memory and its network. What comes of it is judged, compared
        with the same models elsewhere, and written into a report.
      </p>
      <ol>
        <li>Make an account and a job.</li>
        <li>Paste the job's line on each machine: as a program, with Docker, Slurm or Kubernetes.</li>
        <li>Watch the figures arrive and read the report. A link shows the figures to others, without your names.</li>
      </ol>
      <p class="acts">
        <a class="btn main" href="/sign-up">Make an account</a> <a class="btn" href="/sign-in">Sign in</a>
        <a class="btn" href="/docs">API reference</a>
      </p>
    </div>`,
  });

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
          <p><a href="/reset">Forgot the password?</a> No account yet? <a href="/sign-up">Sign up</a>.</p>`
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
