import { html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { command, operatorLine } from './command.ts';

/** For a member whose company has no active subscription: what needs one, and how to get it. */
export const subscriptionPage = (visit: Visit, { holds = 'This page' }: PageRoute): Promise<Response> =>
  page(visit, {
    title: 'No active subscription',
    status: 403,
    body: html`<div class="empty">
      <p>${holds} needs an active subscription of any tier, and your company has none now. The operator adds one:</p>
      ${command(operatorLine(`subscription add --company '${visit.member?.company.replaceAll("'", String.raw`'\''`) ?? ''}' --tier basic`), 'Command that adds a subscription')}
      <p><a class="btn" href="/company/subscription">Your subscription and its limits</a></p>
    </div>`,
  });
