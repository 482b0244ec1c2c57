import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { html, raw, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { Visit } from '../frame/visit.ts';
import { isStaff } from '../../platform/actor.ts';

const own = [
  { href: '/account', label: 'Account' },
  { href: '/account/password', label: 'Password' },
  { href: '/account/second-factor', label: 'Second factor' },
  { href: '/account/sessions', label: 'Sessions' },
];
const company = [
  { href: '/company/members', label: 'Members' },
  { href: '/company/applications', label: 'Applications' },
  { href: '/company/keys', label: 'API keys' },
  { href: '/company/audit', label: 'Audit log' },
  { href: '/company/subscription', label: 'Subscription' },
];
const service = [
  { href: '/customers', label: 'Customers' },
  { href: '/customers/users', label: 'Users' },
  { href: '/customers/tiers', label: 'Tiers' },
];

interface Settings {
  body: Content;
  facts?: Content;
  hasErrors?: boolean;
  headers?: Record<string, string>;
  status?: ContentfulStatusCode;
}

/** Pages of the account, the company and, for those who run it, the service: the same navigation beside each. */
export function settings(visit: Visit, href: string, title: string, given: Settings): Promise<Response> {
  const { body, facts, hasErrors = false, headers, status } = given;
  const entries =
    visit.member?.role === 'user'
      ? [...own, ...company.filter(({ href }) => href === '/company/applications' || href === '/company/subscription')]
      : [...own, ...company, ...(isStaff(visit.context.actor) ? service : [])];
  return page(visit, {
    title: hasErrors ? `Error: ${title}` : title,
    heading: title,
    nav: 'account',
    status: status ?? (hasErrors ? 422 : 200),
    ...(facts !== undefined && { facts }),
    ...(headers && { headers }),
    body: html`<div class="side">
      <nav aria-label="Settings">
        <ul>
          ${entries.map((entry) => html`<li><a href="${entry.href}" ${entry.href === href ? raw(' aria-current="page"') : null}>${entry.label}</a></li>`)}
        </ul>
      </nav>
      <div>${body}</div>
    </div>`,
  });
}
