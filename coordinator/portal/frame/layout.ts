import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { maySignUp } from '../../accounts/sign-up/ask-to-sign-up.ts';
import { addressHere, type Visit } from './visit.ts';
import { assetUrl } from './assets.ts';
import { CSRF_FIELD } from './csrf.ts';
import { compact, html, raw, type Content, type Html } from './html.ts';

export interface Page {
  /** text of the tab and, unless `heading` is given, of the only h1 */
  title: string;
  /** from the outermost page to the parent; the page itself is added */
  crumbs?: readonly { href: string; label: string }[];
  /** which main link is current */
  nav?: Nav;
  heading?: Content;
  /** one line below the heading: state and facts */
  facts?: Content;
  /** links and buttons to the right of the heading */
  actions?: Content;
  body: Content;
  /** the first words of the footer: an id that a reader may need to name */
  foot?: string;
  /** seconds after which a browser without script reloads */
  refreshSeconds?: number;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
}

export const links = {
  jobs: { href: '/jobs', label: 'Jobs' },
  machines: { href: '/machines', label: 'Machines' },
  compare: { href: '/compare', label: 'Compare' },
  market: { href: '/market', label: 'Market' },
  carbon: { href: '/carbon', label: 'Carbon' },
  tokens: { href: '/tokens/book', label: 'Tokens' },
} as const;
export type Nav = keyof typeof links | 'account';

/** A whole page as a response. All external text has been escaped by `html`. */
export async function page(visit: Visit, given: Page): Promise<Response> {
  const text = await wholePage(visit, given);
  return new Response(`<!doctype html>\n${compact(text.toString())}`, {
    status: given.status ?? 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...given.headers },
  });
}

/**
 * The first paint waits for the footer (`expect`): a half-loaded table or timeline shifts as the rest arrives. So far
 * only Chromium supports this.
 */
function wholePage(visit: Visit, given: Page): Html {
  const { title, crumbs = [], heading = title, facts, actions, body, refreshSeconds } = given;
  const refresh =
    refreshSeconds === undefined
      ? null
      : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`;
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · gpumark</title>
      <link rel="expect" href="#foot" blocking="render" />
      <link rel="stylesheet" href="${assetUrl('portal.css')}" />
      <link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml" />
      <script src="${assetUrl('portal.js')}"></script>
      ${refresh}
    </head>
    <body>
      <a class="skip" href="#main">Skip to the content</a>
      ${header(visit, given.nav)}
      <main id="main" tabindex="-1">
        ${(given.status ?? 200) < 400 ? printed(visit) : null}${crumbs.length === 0 ? null : crumbLine(crumbs, title)}
        <div class="head">
          <div>
            <h1>${heading}</h1>
            ${facts ? html`<p>${facts}</p>` : null}
          </div>
          ${actions ? html`<div class="acts">${actions}</div>` : null}
        </div>
        ${body}
      </main>
      ${footer(visit, given.foot)}
    </body>
  </html>`;
}

function header(visit: Visit, nav: Nav | undefined): Html {
  const { member, shared } = visit;
  const isMember = member !== null && shared === null;
  const items = isMember ? Object.entries(links) : [];
  const current = (name: string) => (name === nav ? raw(' aria-current="page"') : null);
  const main =
    items.length === 0
      ? null
      : html`<nav aria-label="Main">
          <ul>
            ${items.map(([name, { href, label }]) => html`<li><a href="${href}" ${current(name)}>${label}</a></li>`)}
          </ul>
        </nav>`;
  return html`<header class="top">
    <div>
      <a class="brand" href="/">gpumark</a>
      ${main}
      ${
        shared
          ? null
          : html`<nav class="me" aria-label="Account">
              <ul>
                ${isMember ? signedIn(visit, member.company, current('account')) : strangers(visit)}
              </ul>
            </nav>`
      }
    </div>
  </header>`;
}

const signedIn = (visit: Visit, company: string, current: Content): Html =>
  html`<li><a href="/account" ${current}>${company}</a></li>
    <li>${form(visit, '/sign-out', html`<button class="plain">Sign out</button>`)}</li>`;

const strangers = ({ context }: Visit): Html =>
  html`<li><a href="/sign-in">Sign in</a></li>
    ${maySignUp(context) ? html`<li><a href="/sign-up">Sign up</a></li>` : null}`;

const crumbLine = (crumbs: readonly { href: string; label: string }[], title: string): Html =>
  html`<nav class="crumbs" aria-label="Where this page is">
    <ol>
      ${crumbs.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}
      <li aria-current="page">${title}</li>
    </ol>
  </nav>`;

/** First line when printed, hidden on screen. Without the address if it can be secret: one from a mail, a shared link. */
function printed(visit: Visit): Html {
  const { query, path, member, shared } = visit;
  const address =
    member !== null && shared === null
      ? `${addressHere(visit)}${path}${query.size === 0 ? '' : `?${query.toString()}`}`
      : `gpumark${shared === null ? '' : ', a shared page'}`;
  return html`<p class="printed">
    ${address} · ${visit.context.now().toISOString().slice(0, 19).replace('T', ' ')} UTC
  </p>`;
}

function footer({ context, member, shared }: Visit, foot: string | undefined): Html {
  const now = context.now().toISOString();
  return html`<footer id="foot">
    <p>
      ${foot === undefined ? null : html`${foot} `}Page of
      <time datetime="${now}">${now.slice(0, 19).replace('T', ' ')} UTC</time
      >.${member && !shared ? html` Signed in as ${member.email}.` : null} <a href="/docs">API reference</a> ·
      <a href="/health-rules">Health rules</a>
    </p>
  </footer>`;
}

/** A form that changes something: POST, with the session's token. `fields` are its controls. */
export const form = (visit: Visit, action: string, fields: Content, name?: string): Html =>
  html`<form method="post" action="${action}" ${name ? html` class="${name}"` : null}>
    ${visit.member ? html`<input type="hidden" name="${CSRF_FIELD}" value="${visit.member.csrf}" />` : null}${fields}
  </form>`;

/** Redirects to another of our pages by GET. */
export const seeOther = (path: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { Location: path, ...headers } });

/** A path on this origin taken from a query; `otherwise` if the value is anything else. */
export function pathOf(given: string | null, otherwise: string): string {
  // A second slash or a backslash would name another host; browsers drop control characters before they parse the URL.
  if (given === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given) || given.includes('\\')) return otherwise;
  return given;
}
