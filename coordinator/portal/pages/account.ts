import { html } from '../frame/html.ts';
import { form, page } from '../frame/layout.ts';
import { get, type PageRoute } from '../frame/route.ts';

export const accountPages: readonly PageRoute[] = [
  get('/account', { who: 'member' }, async (visit) =>
    page(visit, {
      title: 'Your account',
      nav: 'account',
      body: html`<dl class="facts">
          <dt>Name</dt>
          <dd>${visit.member?.name}</dd>
          <dt>E-mail address</dt>
          <dd>${visit.member?.email}</dd>
          <dt>Company</dt>
          <dd>${visit.member?.company}</dd>
          <dt>Role</dt>
          <dd>${visit.member?.role}</dd>
        </dl>
        ${form(visit, '/sign-out', html`<button>Sign out</button>`)}`,
    }),
  ),
];
