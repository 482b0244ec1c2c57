import { portalPages } from '../../../coordinator/portal/pages.ts';
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
 * Every page in the portal's own list as the owner sees it, so that none is missed, and the other forms a page can
 * take: for a stranger, through a shared link, without the tier, empty, with an error in its form, with a password
 * given long ago, or not found.
 */
export async function pageViews(world: World): Promise<PageView[]> {
  const { owner, job, task, fresh } = world;
  const small = await world.person('Small Ltd', 'customer_admin', 'basic');
  const lapsed = await world.person('Lapsed Ltd', 'customer_admin', null);
  const stale = await world.person('Stale Ltd', 'customer_admin');
  await world.app.platform.sql`
    update portal_session set password_at = password_at - interval '11 min' where user_id = ${stale.user.userId}`;
  const names = new Map<Person | null, string>([
    [null, 'stranger'],
    [owner, 'owner'],
    [small, 'small'],
    [lapsed, 'lapsed'],
    [stale, 'stale'],
  ]);
  const made = await (await owner.it.post(`/jobs/${job.id}/share`, { days: '7' })).text();
  const shared = /\/s\/[\w.-]+\/jobs\/\d+/.exec(made)?.[0] ?? '';
  const items = `task:${task},job:${job.id}`;
  const comparison = await (await owner.it.post('/compare/share', { items, days: '7' })).text();
  const compared = /\/s\/[\w.-]+\/compare(?=\?)/.exec(comparison)?.[0] ?? '';
  const view = (path: string, as: Person | null = owner, status = 200): PageView => ({
    name: `${nameOf(path.replace(fresh.id, 'fresh'))}.${names.get(as) ?? ''}`,
    path,
    as,
    status,
  });
  const ofRouter = portalPages
    .filter(({ method, isPlain, path }) => method === 'GET' && isPlain !== true && !isByToken(path))
    .filter(({ path }) => path !== '/' && path !== '/sign-in')
    .map(({ path, who }) => view(pathOf(path, world), who === 'public' ? null : owner));
  const withQueries = [
    `/jobs?state=failed`,
    `/jobs/${fresh.id}`,
    `/jobs/${fresh.id}/abort`,
    `/compare?items=job:${job.id},task:${task}`,
    `/compare/share?items=job:${job.id},task:${task}`,
    `/carbon?gpu_slug=${slug}&hours_used=100&country_code=US&zipcode=94103`,
    `/market/${slug}?start_date=2026-05-24&end_date=2026-08-21`,
    `/market/${slug}?start_date=2026-07-25&end_date=2026-08-21&provider_source_type=Neocloud`,
    `/market?name=a100&name=h100&mem=80`,
    `/market/archives?tier=2&tier=3`,
  ].map((path) => view(path));
  return [
    ...ofRouter,
    ...withQueries,
    view('/', null),
    view('/sign-in', null),
    view(shared, null),
    view(`${shared}/links`, null),
    view(shared.replace(/\/jobs\/\d+$/, `/tasks/${task}`), null),
    view(shared.replace(/\/jobs\/\d+$/, `/tasks/${task}/samples`), null),
    view(compared, null),
    view('/jobs', small),
    view('/machines', small),
    view(`/market/${slug}`, small),
    view(`/market/${slug}/predict`, small, 403),
    view('/tokens/index', small, 403),
    view('/carbon', lapsed, 403),
    view('/company/members', stale),
    view('/company/applications', stale),
    view('/compare/share?items=job:1', stale),
    view('/jobs/1', owner, 404),
    view('/jobs?node_count_min=many', owner, 422),
    view('/sign-up/unknown', null),
  ];
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
