import type { Context, NotFoundHandler } from 'hono';
import type { Dialect } from '../../contract/errors.ts';
import type { BoundRoute, HttpEnv } from './http-env.ts';
import { renderFailure } from './render-failure.ts';

/** Leading segments that a route must share with the path to count as near: `/api` alone is common to all areas. */
const MIN_COMMON_SEGMENTS = 2;

/** Answers a browser with a page. */
export type MissingPage = (c: Context<HttpEnv>) => Promise<Response>;

/**
 * Answers a request without a route. If the path is known: 405 with Allow, or 204 for OPTIONS. Else 404 in the nearest
 * route's dialect, or as a page for a browser outside the API.
 */
export function unmatched(routes: readonly BoundRoute[], missingPage?: MissingPage): NotFoundHandler<HttpEnv> {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (c) => {
    // The body is left unread: the adaptor discards it, within bounds, from any sender.
    const path = c.req.path;
    const here = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
    const first = here[0];
    if (!first) {
      if (missingPage !== undefined && isBrowser(c)) return missingPage(c);
      const message = `${path.slice(0, 200)} does not exist; /docs lists all operations.`;
      return renderFailure(c, nearestDialect(routes, path), {
        kind: 'not_found',
        message,
        code: undefined,
        fields: [],
      });
    }
    const allow = allowOf(here);
    c.header('Allow', allow);
    if (c.req.method === 'OPTIONS') return c.body(null, 204);
    const message = `${first.path} takes ${allow}, not ${c.req.method}.`;
    return renderFailure(c, first.dialect, { kind: 'method_not_allowed', message, code: undefined, fields: [] });
  };
}

/** True if a person opened an address outside the API; programs do not ask for HTML. */
const isBrowser = ({ req }: Context<HttpEnv>): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  !req.path.startsWith('/api/') &&
  /\btext\/html\b/.test(req.header('accept') ?? '');

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      .replace(/\{[^}]+\}/g, '[^/]+')
      .replace(/(?<=.)\/$/, '/?')}$`,
  );

function allowOf(routes: readonly BoundRoute[]): string {
  const methods = new Set(routes.map((route) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return [...methods].toSorted().join(', ');
}

/** The dialect of the route that shares the most leading segments with the path. */
export function nearestDialect(routes: readonly BoundRoute[], path: string): Dialect {
  const scored = routes.map((route) => ({ route, common: commonSegments(route.path, path) }));
  const best = scored.reduce<(typeof scored)[number] | null>((a, b) => (a && a.common >= b.common ? a : b), null);
  if (best && best.common >= MIN_COMMON_SEGMENTS) return best.route.dialect;
  return path.startsWith('/api/') ? 'envelope' : 'error';
}

function commonSegments(a: string, b: string): number {
  const left = a.split('/').slice(1);
  const right = b.split('/').slice(1);
  const differs = left.findIndex((segment, index) => segment !== right[index]);
  return differs === -1 ? left.length : differs;
}
