import { askToSignUp, maySignUp, signUpRequest } from '../../accounts/sign-up/ask-to-sign-up.ts';
import { completeSignUp, readSignUp } from '../../accounts/sign-up/complete-sign-up.ts';
import { forgotPassword } from '../../accounts/passwords/forgot-password.ts';
import { resetPassword } from '../../accounts/passwords/reset-password.ts';
import { loginRequest } from '../../contract/user.ts';
import { field } from '../components/field.ts';
import { formPage } from '../components/form-page.ts';
import { note } from '../components/note.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

const anyone = { who: 'public' } as const;

export const signUpPages: readonly PageRoute[] = [
  get('/sign-up', anyone, (visit) => signUpForm(visit, noErrors)),
  post('/sign-up', anyone, signUp),
  get('/sign-up/:token', anyone, (visit) => completeForm(visit, noErrors)),
  post('/sign-up/:token', anyone, complete),
  get('/reset', anyone, (visit) => resetForm(visit, noErrors)),
  post('/reset', anyone, askForLink),
  get('/reset/:token', anyone, (visit) => setForm(visit, noErrors)),
  post('/reset/:token', anyone, setPassword),
];

function signUpForm(visit: Visit, errors: FormErrors): Promise<Response> {
  if (!maySignUp(visit.context))
    return formPage(
      visit,
      'Sign up',
      errors,
      note(
        'plain',
        'Accounts are created by those who run this service.',
        html`It sends no mail, so it cannot tell who owns an address. Have an account? <a href="/sign-in">Sign in</a>.`,
      ),
    );
  const value = (name: string) => ({ name, value: visit.form.get(name), error: errors.get(name), required: true });
  return formPage(
    visit,
    'Sign up',
    errors,
    html`${form(
        visit,
        '/sign-up',
        html`${field({ ...value('company'), label: 'Company', autocomplete: 'organization', maxlength: 60 })}
          ${field({ ...value('first_name'), label: 'First name', autocomplete: 'given-name', maxlength: 60 })}
          ${field({ ...value('last_name'), label: 'Last name', autocomplete: 'family-name', maxlength: 60 })}
          ${field({ ...value('email'), label: 'E-mail address', type: 'email', autocomplete: 'email', maxlength: 254, hint: 'We send the link that creates the account there.' })}
          <p><button class="main">Send the link</button></p>`,
        'stackform',
      )}
      <p>You get the tier basic, which is free. Have an account? <a href="/sign-in">Sign in</a>.</p>`,
  );
}

async function signUp(visit: Visit): Promise<Response> {
  const input = signUpRequest.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return signUpForm(visit, issuesOf(input.error));
  const tried = await attempt(() => askToSignUp(visit.context, input.data));
  if ('errors' in tried) return signUpForm(visit, tried.errors);
  return mailSent(visit, 'Sign up', input.data.email);
}

/** The same message for every address, known or not. */
const mailSent = (visit: Visit, title: string, email: string): Promise<Response> =>
  formPage(
    visit,
    title,
    noErrors,
    note(
      'ok',
      'Check your mail.',
      html`A link is on its way to ${named(email)}. Nothing after a few minutes? Check the spam folder, then send the
      form again.`,
      'status',
    ),
  );

async function completeForm(visit: Visit, errors: FormErrors): Promise<Response> {
  const { token = '' } = visit.params;
  const asked = await readSignUp(visit.context, token);
  if (!asked)
    return formPage(
      visit,
      'Create your account',
      errors,
      note('bad', 'This link is unknown, used or expired.', html`<a href="/sign-up">Sign up again</a>.`),
    );
  return formPage(
    visit,
    'Create your account',
    errors,
    html`<p>For ${named(asked.email)} of ${named(asked.company)}.</p>
      ${passwordForm(visit, `/sign-up/${token}`, asked.email, errors, 'Create account')}`,
  );
}

const passwordForm = (visit: Visit, action: string, email: string, errors: FormErrors, verb: string): Content =>
  form(
    visit,
    action,
    html`<input
        type="hidden"
        name="username"
        autocomplete="username"
        value="${email}"
      />${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', required: true, maxlength: 1024, hint: 'At least 8 characters. A few words in a row are good and easy to keep.', error: errors.get('password') })}
      <p><button class="main">${verb}</button></p>`,
    'stackform',
  );

/** If the link itself was refused: a page that leads to a new link. Null if the errors are not about the link. */
function linkRefused(
  visit: Visit,
  errors: FormErrors,
  { title, href, label }: Record<'title' | 'href' | 'label', string>,
): Promise<Response> | null {
  const reason = errors.get('token');
  if (reason === undefined) return null;
  const said = new Map([['', reason.replace(/^token/, 'The link')]]);
  return formPage(visit, title, said, html`<p><a class="btn main" href="${href}">${label}</a></p>`);
}

async function complete(visit: Visit): Promise<Response> {
  const input = { token: visit.params['token'] ?? '', password: visit.form.get('password') ?? '' };
  const tried = await attempt(() => completeSignUp(visit.context, input));
  if ('errors' in tried) {
    const again = { title: 'Create your account', href: '/sign-up', label: 'Sign up again' };
    return linkRefused(visit, tried.errors, again) ?? completeForm(visit, tried.errors);
  }
  return formPage(
    visit,
    'Your account is ready',
    noErrors,
    html`<p>Sign in with ${named(tried.done.email)} and the password you chose.</p>
      <p><a class="btn main" href="/sign-in">Sign in</a></p>`,
  );
}

const resetForm = (visit: Visit, errors: FormErrors): Promise<Response> =>
  formPage(
    visit,
    'Set a new password',
    errors,
    maySignUp(visit.context)
      ? resetFields(visit, errors)
      : note(
          'plain',
          'This service sends no mail.',
          'Ask those who run it for a password link: `user reset-link` prints one.',
        ),
  );

const resetFields = (visit: Visit, errors: FormErrors): Content =>
  form(
    visit,
    '/reset',
    html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', required: true, maxlength: 254, value: visit.form.get('email'), error: errors.get('email'), hint: 'We send a link there. It works once, within an hour.' })}
      <p><button class="main">Send the link</button></p>`,
    'stackform',
  );

async function askForLink(visit: Visit): Promise<Response> {
  if (!maySignUp(visit.context)) return resetForm(visit, noErrors);
  const email = loginRequest.shape.email.safeParse(visit.form.get('email')?.trim());
  if (!email.success) return resetForm(visit, new Map([['email', 'This is not an e-mail address.']]));
  const tried = await attempt(() => forgotPassword(visit.context, email.data));
  return 'errors' in tried ? resetForm(visit, tried.errors) : mailSent(visit, 'Set a new password', email.data);
}

/**
 * The link is not looked up before the form is sent: only a person who submits a password for it learns whether it is
 * valid.
 */
const setForm = (visit: Visit, errors: FormErrors): Promise<Response> =>
  formPage(
    visit,
    'Choose a new password',
    errors,
    html`<p>Every session of the account ends.</p>
      ${passwordForm(visit, `/reset/${encodeURIComponent(visit.params['token'] ?? '')}`, '', errors, 'Set the password')}`,
  );

async function setPassword(visit: Visit): Promise<Response> {
  const input = { token: visit.params['token'] ?? '', password: visit.form.get('password') ?? '' };
  const tried = await attempt(() => resetPassword(visit.context, input));
  if ('errors' in tried) {
    const again = { title: 'Choose a new password', href: '/reset', label: 'Ask for a new link' };
    return linkRefused(visit, tried.errors, again) ?? setForm(visit, tried.errors);
  }
  return formPage(visit, 'The password is set', noErrors, html`<p><a class="btn main" href="/sign-in">Sign in</a></p>`);
}
