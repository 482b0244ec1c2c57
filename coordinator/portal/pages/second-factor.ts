import { enrolFactor } from '../../accounts/second-factor/enrol-factor.ts';
import { proposeFactor, readProposal } from '../../accounts/second-factor/propose-factor.ts';
import { readFactorState } from '../../accounts/second-factor/person-of.ts';
import { removeFactor, renewRecoveryCodes } from '../../accounts/second-factor/change-factor.ts';
import { errorSummary } from '../components/field.ts';
import { note } from '../components/note.ts';
import { appKey, codeField, recoveryCodes } from '../components/second-factor.ts';
import { time } from '../components/time.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword, isFresh, passwordAgain } from '../sessions/confirm-password.ts';
import { signedOut } from '../sessions/end-session.ts';
import { enter } from '../sessions/enter.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { settings } from './settings-frame.ts';

const HERE = '/account/second-factor';
const member = { who: 'member' } as const;

export const secondFactorPages: readonly PageRoute[] = [
  get(HERE, member, (visit) => show(visit, noErrors)),
  post(`${HERE}/begin`, member, begin),
  post(HERE, member, enrol),
  post(`${HERE}/recovery-codes`, member, renew),
  post(`${HERE}/remove`, member, remove),
];

const shell = (visit: Visit, errors: FormErrors, body: Content): Promise<Response> =>
  settings(visit, HERE, 'Second factor', {
    hasErrors: errors.size > 0,
    body: html`${errorSummary(errors)}${body}`,
  });

async function show(visit: Visit, errors: FormErrors, before: Content = null): Promise<Response> {
  const state = await readFactorState(visit.context);
  const { since, recoveryCodesLeft, isRequired } = state;
  const about =
    since === null
      ? html`<p>
          With a second factor a sign-in asks for a code of an authenticator app after the password, so that the
          password alone opens nothing. All your sessions end when it is set up; this browser goes on in a new one.
        </p>`
      : html`<dl class="facts">
          <dt>Set up</dt>
          <dd>${time(since)}</dd>
          <dt>Recovery codes left</dt>
          <dd>${recoveryCodesLeft}</dd>
        </dl>`;
  const forms = since === null ? beginForm(visit) : ownForms(visit, errors, isRequired);
  return shell(
    visit,
    errors,
    html`${before}${about}${isFresh(visit) ? forms : passwordForm(visit, HERE, errors.get('current_password'))}`,
  );
}

const beginForm = (visit: Visit): Content =>
  form(visit, `${HERE}/begin`, html`<p><button class="main">Set up a second factor</button></p>`);

const ownForms = (visit: Visit, errors: FormErrors, isRequired: boolean): Content => {
  const isOf = (what: string) => (visit.path === `${HERE}/${what}` ? errors.get('code') : undefined);
  return html`<h2>New recovery codes</h2>
    ${form(
      visit,
      `${HERE}/recovery-codes`,
      html`${codeField(isOf('recovery-codes'))}
        <p><button>Make ten new ones</button></p>`,
      'stackform',
    )}
    <h2>Remove the second factor</h2>
    <p>
      ${isRequired ? 'Your company requires one: you are signed out, and set up another with the next sign-in.' : 'All your sessions end; this browser goes on in a new one.'}
    </p>
    ${form(
      visit,
      `${HERE}/remove`,
      html`${codeField(isOf('remove'))}
        <p><button class="risk">Remove it</button></p>`,
      'stackform',
    )}`;
};

const proposalPage = (
  visit: Visit,
  proposal: Awaited<ReturnType<typeof proposeFactor>>,
  errors: FormErrors,
): Promise<Response> =>
  shell(
    visit,
    errors,
    html`${appKey(proposal)}${form(
      visit,
      HERE,
      html`${codeField(errors.get('code'), true)}${passwordAgain(visit, errors.get('current_password'))}
        <p><button class="main">Set it up</button></p>`,
      'stackform',
    )}`,
  );

async function begin(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return proposeFactor(visit.context, null);
  });
  return 'errors' in tried ? show(visit, tried.errors) : proposalPage(visit, tried.done, noErrors);
}

const codeOf = ({ form: given }: Visit): string => given.get('code') ?? '';

async function enrol(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return enrolFactor(visit.context, { ticket: null, code: codeOf(visit) });
  });
  if ('errors' in tried) {
    // The key is a secret: it is shown again only to a person who has just given the password.
    const again = isFresh(visit) ? await attempt(() => readProposal(visit.context, null)) : null;
    return again && 'done' in again ? proposalPage(visit, again.done, tried.errors) : show(visit, tried.errors);
  }
  await enter(visit, tried.done);
  return show(visit, noErrors, recoveryCodes(tried.done.recoveryCodes, 'The second factor is set up.'));
}

async function renew(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return renewRecoveryCodes(visit.context, { code: codeOf(visit), cookie: visit.cookie });
  });
  if ('errors' in tried) return show(visit, tried.errors);
  return show(visit, noErrors, recoveryCodes(tried.done, 'Those from before no longer work.'));
}

async function remove(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return removeFactor(visit.context, { code: codeOf(visit), cookie: visit.cookie });
  });
  if ('errors' in tried) return show(visit, tried.errors);
  if (tried.done === null) return signedOut(visit);
  await enter(visit, tried.done);
  return show(visit, noErrors, note('ok', 'Removed.', 'The password alone signs in again.', 'status'));
}
