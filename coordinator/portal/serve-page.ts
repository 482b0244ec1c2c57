import type { Context as HonoContext } from 'hono';
import { isStaff } from '../platform/actor.ts';
import type { Platform } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { mediaTypeOf } from '../platform/http/field-values.ts';
import { incomingOf, type HttpContext, type HttpEnv } from '../platform/http/http-env.ts';
import { readBody, readRequest } from '../platform/http/guard.ts';
import { setHeader } from '../platform/http/headers.ts';
import type { ChargeCall } from '../platform/limits/request-limits.ts';
import { isFresh } from './sessions/confirm-password.ts';
import { passwordPage } from './sessions/password-first.ts';
import { readSession } from './sessions/read-session.ts';
import { isShownBy, readShared } from './sharing/read-shared.ts';
import { noErrors } from './frame/attempt.ts';
import { refuseForeignForm } from './frame/csrf.ts';
import { failurePage } from './frame/failure-page.ts';
import { seeOther, page } from './frame/layout.ts';
import type { PageRoute } from './frame/route.ts';
import { hasProduct, isSubscribed, tierPage } from './frame/tier-page.ts';
import type { Visit } from './frame/visit.ts';
import { html } from './frame/html.ts';
import { command, operatorLine } from './components/copyable.ts';

/** Everything from this origin, no inline script or style; one Trusted Types policy, for the live page's script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types gpumark',
].join('; ');

/** Maximum bytes of a form, unless its page sets another limit. */
const FORM_BYTES = 32 * 1024;

interface Parts {
  platform: Platform;
  charge: ChargeCall;
}

type AppContext = HonoContext<HttpEnv>;

/** Checks session, access, rate limit and form origin, then serves the page. Any error becomes a page as well. */
export function servePage({ platform, charge }: Parts, route: PageRoute): (c: AppContext) => Promise<Response> {
  return async (c) => {
    c.get('event')['page'] = route.path;
    let visit = strangerOf(platform, c);
    try {
      visit = await visitOf(platform, c, visit);
      const charging = charge(visit.context.actor, visit.context.client.address);
      const charged = charging instanceof Promise ? await charging : charging;
      if (charged?.refused) throw charged.refused;
      const answer = await answered(c, route, visit);
      return withHeaders(c, visit, answer);
    } catch (error) {
      return withHeaders(c, visit, await failurePage(visit, error, route.isPlain ?? false));
    }
  };
}

async function answered(c: AppContext, route: PageRoute, visit: Visit): Promise<Response> {
  const { member, shared } = visit;
  if (shared !== null && (route.shareable !== true || route.method !== 'GET'))
    throw new DomainError('not_found', 'The page');
  if (route.who !== 'public' && member === null && shared === null) return askToSignIn(route, visit);
  if (route.who === 'admin' && member?.role === 'user')
    throw new DomainError('forbidden', 'This page is for administrators of the company. Ask one of them.');
  const { actor } = visit.context;
  if (route.who === 'staff' && !isStaff(actor))
    throw new DomainError('forbidden', 'This page is for those who run this service.');
  if (route.subscription === true && !isSubscribed(actor)) return subscriptionPage(visit, route);
  if (route.product !== undefined && shared === null && !hasProduct(actor, route.product))
    return tierPage(visit, route, route.product);
  if (route.showsSecret === true && !isFresh(visit)) return passwordPage(visit, here(visit), noErrors);
  if (route.method === 'GET') return route.handle(visit);
  const filled = { ...visit, form: await readForm(c, route.bodyLimit ?? FORM_BYTES) };
  refuseForeignForm(filled);
  return route.handle(filled);
}

function askToSignIn(route: PageRoute, visit: Visit): Response {
  if (route.isPlain === true || route.method !== 'GET') throw new DomainError('unauthenticated', 'Sign in first.');
  return seeOther(`/sign-in?next=${encodeURIComponent(here(visit))}`);
}

/** The requested address on this origin. */
const here = ({ path, query }: Visit): string => (query.size === 0 ? path : `${path}?${query.toString()}`);

function strangerOf(platform: Platform, c: AppContext): Visit {
  const url = new URL(c.req.url);
  const event = c.get('event');
  return {
    context: {
      ...platform,
      actor: { kind: 'anonymous' },
      client: c.get('client'),
      requestId: c.get('requestId'),
      note: (fields) => void Object.assign(event, fields),
    },
    member: null,
    shared: null,
    base: '',
    path: url.pathname,
    params: c.req.param(),
    query: url.searchParams,
    form: new URLSearchParams(),
    cookie: c.req.header('cookie'),
    setCookies: [],
    header: (name) => c.req.header(name),
    signal: c.req.raw.signal,
  };
}

/** The holder of a shared link sees what it shows and no more, even if signed in. */
async function visitOf(platform: Platform, c: AppContext, visit: Visit): Promise<Visit> {
  const token = sharedToken.exec(visit.path)?.[1];
  if (token !== undefined) {
    const { page, actor } = await readShared(visit.context, token);
    const base = `/s/${token}`;
    const path = visit.path.slice(base.length);
    if (!(await isShownBy(platform, page, path))) throw new DomainError('not_found', 'The page');
    const query = page.query === '' ? visit.query : new URLSearchParams(page.query);
    return { ...visit, base, path, query, shared: page, context: { ...visit.context, actor } };
  }
  const session = await readSession(platform, visit.cookie);
  if (session === null) return visit;
  const { actor, member } = session;
  c.set('actor', actor);
  c.get('event')['actor'] = actor.kind;
  c.get('event')['customer_id'] = actor.customerId;
  return { ...visit, member, context: { ...visit.context, actor } };
}

const sharedToken = /^\/s\/([\w.-]{1,200})(?=\/|$)/;

async function readForm(c: AppContext, limit: number): Promise<URLSearchParams> {
  if (mediaTypeOf(c.req.header('content-type')) !== 'application/x-www-form-urlencoded')
    throw new DomainError('validation', 'A form is sent as application/x-www-form-urlencoded.');
  const incoming = incomingOf(c as HttpContext);
  const from = { actor: c.get('actor'), address: c.get('client').address };
  const received = incoming
    ? await readBody(incoming, { limit, receive: (giveUp) => c.get('intake').receive(from, giveUp) })
    : await readRequest(c.req.raw, limit);
  try {
    return new URLSearchParams(received.bytes.toString('utf8'));
  } finally {
    received.release();
  }
}

/** Paths that contain a secret, which must not be sent to other sites as a referrer. */
const secretPath = /^\/(s|reset|sign-up)\//;

function withHeaders(c: AppContext, visit: Visit, answer: Response): Response {
  const isSecret = secretPath.test(c.req.path);
  const isPrivate = isSecret || visit.member !== null || c.req.method !== 'GET' || answer.status !== 200;
  const own: Record<string, string> = {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': isSecret ? 'no-referrer' : 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': isPrivate ? 'private, no-store' : 'public, max-age=300',
    Vary: 'Cookie',
  };
  for (const [name, value] of Object.entries(own)) {
    const set = answer.headers.get(name) ?? value;
    answer.headers.delete(name);
    setHeader(c as HttpContext, name, set);
  }
  for (const line of visit.setCookies) answer.headers.append('Set-Cookie', line);
  return c.newResponse(answer.body, answer);
}

/** For a member whose company has no active subscription: what requires one, and how to get it. */
const subscriptionPage = (visit: Visit, { holds = 'This page' }: PageRoute): Promise<Response> =>
  page(visit, {
    title: 'No active subscription',
    status: 403,
    body: html`<div class="empty">
      <p>${holds} needs an active subscription of any tier, and your company has none now. The operator adds one:</p>
      ${command(operatorLine(`subscription add --company '${visit.member?.company.replaceAll("'", String.raw`'\''`) ?? ''}' --tier basic`), 'Command that adds a subscription')}
      <p><a class="btn" href="/company/subscription">Your subscription and its limits</a></p>
    </div>`,
  });
