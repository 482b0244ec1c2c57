import { enrolFactor } from '../../accounts/second-factor/enrol-factor.ts';
import { finishSignIn } from '../../accounts/second-factor/finish-sign-in.ts';
import { proposeFactor, readProposal } from '../../accounts/second-factor/propose-factor.ts';
import { formPage } from '../components/form-page.ts';
import { appKey, codeField, recoveryCodes } from '../components/second-factor.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import { form, pathOf, seeOther } from '../frame/layout.ts';
import { post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { endSessionHere } from '../sessions/end-session.ts';
import { enter } from '../sessions/enter.ts';

const CODE = '/sign-in/code';
const SET_UP = '/sign-in/set-up';
const anyone = { who: 'public' } as const;

/**
 * The steps after the password. The password itself is not passed on: the forms carry a ticket proving that it was
 * right.
 */
export const signInCodePages: readonly PageRoute[] = [post(CODE, anyone, giveCode), post(SET_UP, anyone, setUp)];

const next = ({ query }: Visit): string => pathOf(query.get('next'), '/jobs');

const ticketForm = (visit: Visit, action: string, ticket: string, fields: Content): Content =>
  html`${form(
      visit,
      `${action}?next=${encodeURIComponent(next(visit))}`,
      html`<input type="hidden" name="ticket" value="${ticket}" />${fields}`,
      'stackform',
    )}
    <p><a href="/sign-in?next=${encodeURIComponent(next(visit))}">Begin again</a></p>`;

/** After the password, for an account that has a second factor. */
export const codePage = (visit: Visit, ticket: string, errors: FormErrors = noErrors): Promise<Response> =>
  formPage(
    visit,
    'Sign in: your code',
    errors,
    ticketForm(
      visit,
      CODE,
      ticket,
      html`${codeField(errors.get('code'))}
        <p><button class="main">Sign in</button></p>`,
    ),
  );

async function giveCode(visit: Visit): Promise<Response> {
  const { context, form: given, cookie } = visit;
  const ticket = given.get('ticket') ?? '';
  const tried = await attempt(() => finishSignIn(context, { ticket, code: given.get('code') ?? '', cookie }));
  if ('errors' in tried) return codePage(visit, ticket, tried.errors);
  await endSessionHere(visit);
  await enter({ ...visit, member: null }, tried.done);
  return seeOther(next(visit));
}

/** After the password, for an account without a second factor in a company that requires one: no other page opens. */
export async function setUpPage(visit: Visit, ticket: string, errors: FormErrors = noErrors): Promise<Response> {
  const { context } = visit;
  const proposal = await (errors.size === 0 ? proposeFactor(context, ticket) : readProposal(context, ticket));
  return formPage(
    visit,
    'Set up a second factor',
    errors,
    html`<p>Your company requires a second factor of everybody. Set yours up, then you are signed in.</p>
      ${appKey(proposal)}
      ${ticketForm(
        visit,
        SET_UP,
        ticket,
        html`${codeField(errors.get('code'), true)}
          <p><button class="main">Set it up and sign in</button></p>`,
      )}`,
  );
}

async function setUp(visit: Visit): Promise<Response> {
  const { context, form: given } = visit;
  const ticket = given.get('ticket') ?? '';
  const tried = await attempt(() => enrolFactor(context, { ticket, code: given.get('code') ?? '' }));
  if ('errors' in tried) return setUpPage(visit, ticket, tried.errors);
  await endSessionHere(visit);
  const stranger = { ...visit, member: null };
  await enter(stranger, tried.done);
  return formPage(
    stranger,
    'Your second factor is set up',
    noErrors,
    html`${recoveryCodes(tried.done.recoveryCodes, null)}
      <p><a class="btn main" href="${next(visit)}">Go on</a></p>`,
  );
}
