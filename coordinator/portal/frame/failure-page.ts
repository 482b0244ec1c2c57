import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError, type ErrorKind } from '../../platform/errors.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import type { Visit } from './visit.ts';

const statuses: Record<ErrorKind, ContentfulStatusCode> = {
  validation: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  state: 409,
  too_large: 413,
  too_slow: 408,
  unsupported: 415,
  rate_limited: 429,
  unavailable: 503,
  business: 422,
};

const titles: Partial<Record<ErrorKind, string>> = {
  forbidden: 'Not allowed',
  not_found: 'Not found',
  rate_limited: 'Too many requests',
  unavailable: 'Not available now',
  conflict: 'That cannot be done now',
  state: 'That cannot be done now',
};

/** Turns a thrown error into a page. An unknown error is logged in full and shown only as an id. */
export async function failurePage(visit: Visit, error: unknown, isPlain: boolean): Promise<Response> {
  const known = error instanceof DomainError ? error : null;
  if (!known) visit.context.note({ err: error });
  const status = known ? statuses[known.kind] : 500;
  const title = (known && titles[known.kind]) ?? (known ? 'The request is wrong' : 'Something broke here');
  const message = messageOf(known, visit.context.requestId);
  const headers: Record<string, string> =
    known?.retryAfterSeconds === undefined
      ? {}
      : { 'Retry-After': String(Math.max(1, Math.ceil(known.retryAfterSeconds))) };
  if (isPlain)
    return new Response(`${title}. ${message}\n`, {
      status,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    });
  const next = visit.member ? html`<a href="/jobs">Your jobs</a>` : html`<a href="/sign-in">Sign in</a>`;
  return page(visit, {
    title,
    status,
    headers,
    body: html`<p>${message}</p>
      <p>${visit.shared ? null : next}</p>`,
  });
}

/** The same message for pages that do not exist and for those of another customer. */
function messageOf(known: DomainError | null, requestId: string): string {
  if (!known) return `It has been logged. Quote the request id ${requestId} when you report it.`;
  if (known.kind === 'not_found') return 'There is no such page, or it is not yours to see.';
  return known.fields.length > 0
    ? known.fields.map(({ message, path }) => `${path.slice(1).join('.')}: ${message}`).join('; ')
    : known.message;
}
