import { portalPages } from '../../../coordinator/portal/pages.ts';
import { actorOf } from '../../support/client.ts';
import { runStates } from './run-states.ts';
import type { PageRoute } from '../../../coordinator/portal/frame/route.ts';
import { pathOf, slug, type Person, type World } from './world.ts';

/** One page as seen by one person. */
export interface PageView {
  /** a file name */
  name: string;
  path: string;
  /** null: nobody is signed in */
  as: Person | null;
  status: number;
}

/**
 * Every page in the portal's own list as the owner sees it, and as everybody else does to whom the list gives it or
 * refuses it: through a shared link, without the product, the subscription, the role, or a password of the last ten
 * minutes. None of these is written down here, so none is missed. Then the other forms a page can take: for a stranger,
 * empty, filtered, with an error in its form, not found, and for jobs in every state.
 */
export async function pageViews(world: World): Promise<PageView[]> {
  const { owner, job, task, fresh } = world;
  const small = await world.person('Small Ltd', 'customer_admin', 'basic');
  const lapsed = await world.person('Lapsed Ltd', 'customer_admin', null);
  const empty = await world.person('Empty Ltd', 'customer_admin');
  const user = await world.person('Staffed Ltd', 'user');
  const root = await world.person('Operator Ltd', 'root_admin');
  const stale = await world.person('Stale Ltd', 'customer_admin');
  await world.app.platform.sql`
    update portal_session set password_at = password_at - interval '11 min' where user_id = ${stale.user.userId}`;
  const names = new Map<Person | null, string>([
    [null, 'stranger'],
    [owner, 'owner'],
    [small, 'small'],
    [lapsed, 'lapsed'],
    [stale, 'stale'],
    [empty, 'empty'],
    [user, 'user'],
    [root, 'root'],
  ]);
  const made = await (await owner.it.post(`/jobs/${job.id}/share`, { days: '7' })).text();
  const ofJob = sharedBase(made);
  const items = `task:${task},job:${job.id}`;
  const comparison = await (await owner.it.post('/compare/share', { items, days: '7' })).text();
  const ofComparison = sharedBase(comparison);
  const view = (path: string, as: Person | null = owner, status = 200): PageView => ({
    name: `${nameOf(path.replace(fresh.id, 'fresh'))}.${names.get(as) ?? ''}`,
    path,
    as,
    status,
  });
  const pages = portalPages.filter(
    ({ method, isPlain, path }) => method === 'GET' && isPlain !== true && !isByToken(path),
  );
  const seenBy = (which: (route: PageRoute) => boolean, as: Person, status = 200): PageView[] =>
    pages.filter(which).map(({ path }) => view(pathOf(path, world), as, status));
  const { standing } = await actorOf(world.app, small.user);
  const ofRouter = pages
    // They redirect a person who is signed in, or who names nothing to share.
    .filter(({ path }) => path !== '/' && path !== '/sign-in' && path !== '/compare/share')
    .map(({ path, who }) => view(pathOf(path, world), who === 'public' ? null : who === 'staff' ? root : owner));
  const ofLinks = pages
    .filter(({ shareable }) => shareable === true)
    .map(({ path }) => view(`${path === '/compare' ? ofComparison : ofJob}${pathOf(path, world)}`, null));
  const refused = [
    ...seenBy(({ product }) => product !== undefined && !standing.terms.products.includes(product), small, 403),
    ...seenBy(({ subscription }) => subscription === true, lapsed, 403),
    ...seenBy(({ who }) => who === 'admin', user, 403),
    ...seenBy(({ who }) => who === 'staff', owner, 403),
    ...seenBy(({ showsSecret }) => showsSecret === true, stale),
  ];
  const lists = pages.filter(({ path }) => /^\/jobs\/:id\/(links|nodes|together|copies|findings)$/.test(path));
  const ofFresh = lists.map(({ path }) => view(pathOf(path, { ...world, job: fresh })));
  const withQueries = [
    `/jobs?state=failed`,
    `/jobs/${fresh.id}`,
    `/jobs/${fresh.id}/abort`,
    `/jobs/${fresh.id}/start?launcher=slurm`,
    `/jobs/${fresh.id}/start?launcher=kubernetes`,
    `/compare?items=job:${job.id},task:${task}`,
    `/compare/share?items=job:${job.id},task:${task}`,
    `/carbon?gpu_slug=${slug}&hours_used=100&country_code=US&zipcode=94103`,
    `/market/${slug}?start_date=2026-05-24&end_date=2026-08-21`,
    `/market/${slug}?start_date=2026-07-25&end_date=2026-08-21&provider_source_type=Neocloud`,
    `/jobs/${job.id}/links?attempt=999`,
    `/market?name=a100&name=h100&mem=80`,
    `/market?name=nothing-is-called-so`,
    `/carbon?provider=aws&provider_code=nowhere`,
    `/carbon?country_code=US&zipcode=00000`,
    `/market/${slug}/votes?day=2020-01-01`,
    `/market/${slug}/forward?provider_source_type=Marketplace`,
    `/market/archives?tier=2&tier=3`,
  ].map((path) => view(path));
  return [
    ...ofRouter,
    ...ofLinks,
    ...refused,
    ...withQueries,
    ...ofFresh,
    ...(await runStates(world)),
    view('/', null),
    view('/sign-in', null),
    view('/jobs', empty),
    view('/machines', empty),
    view('/account', user),
    view('/jobs', small),
    view(`/market/${slug}`, small),
    view('/company/members', stale),
    view('/company/applications', stale),
    view('/company/keys', stale),
    view('/account/second-factor', stale),
    view('/nothing', owner, 404),
    view('/nothing/here', null, 404),
    view('/jobs/1', owner, 404),
    view('/s/gmp_unknown/jobs/1', null, 404),
    view('/jobs?node_count_min=many', owner, 422),
    view('/sign-up/unknown', null),
    view('/reset/unknown', null),
  ];
}

/** The start of the link on the page that made it. */
function sharedBase(page: string): string {
  const base = /\/s\/\d+\.[\w-]+/.exec(page)?.[0];
  if (base === undefined) throw new Error(`no link on ${page}`);
  return base;
}

/** The page of a link sent by mail is shown to the reader of the mail. */
const isByToken = (path: string): boolean => path.includes(':token');

const nameOf = (path: string): string => {
  const plain = path
    .replace(/^\/s\/[\w.-]+/, '/shared')
    .replaceAll(/\d{10,}/g, 'ID')
    .replace(slug, 'SLUG');
  return plain.replace(/^\W+/, '').replaceAll(/\W+/g, '-') || 'start';
};
