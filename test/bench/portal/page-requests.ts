import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import type { PageRoute } from '../../../coordinator/portal/frame/route.ts';
import { days } from '../market/synthetic-market.ts';

/** Ids and names that exist in the database, for requests. */
export interface Known {
  customerId: string;
  prices: { slug: string; product_id: number; price_type: number; country: string }[];
  /** with results of three nodes, and links */
  jobs: string[];
  tasks: string[];
  machines: string[];
  big: string;
}

export async function findKnown(sql: Sql, customerId: string): Promise<Known> {
  const prices = await sql<Known['prices']>`
    select slug, product_id, price_type, country from latest_price join product using (product_id)
    where country <> '' and price_type not in (24, 36) order by product_id, price_type, country`;
  const whole = await sql<{ job_id: string; id: string; machine_uuid: string }[]>`
    select job_id, id, machine_uuid from task
    where customer_id = ${customerId} and job_id in (
      select job_id from network_run join job on job.id = job_id where job.name like 'bench-job-%')`;
  const [big] = await sql<{ id: string }[]>`select id from job where name = 'big' and customer_id = ${customerId}`;
  const old = await sql<{ machine_uuid: string }[]>`
    select distinct machine_uuid from task where machine_uuid like 'old-%' and customer_id = ${customerId}`;
  return {
    customerId,
    prices,
    jobs: [...new Set(whole.map(({ job_id }) => job_id))],
    tasks: whole.map(({ id }) => id),
    machines: old.map(({ machine_uuid }) => machine_uuid),
    big: big?.id ?? '',
  };
}

/** Different requests for each page, which then repeat. */
const KINDS = 200;
const RANGE_DAYS = 90;

type Ask = (
  n: number,
  pick: <T>(of: readonly T[]) => T,
  isFile: boolean,
) => { ids?: Record<string, string>; query?: string | undefined };

const dayBefore = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
const page = (most: number) => (n: number) => `page=${1 + (n % most)}`;
const nothing: Ask = () => ({});

/**
 * The request variants of each page, by its path without a file extension. A page missing here fails the bench, and a
 * test before it.
 */
const asks = (known: Known): Record<string, Ask> => {
  const ofJob: Ask = (_, pick) => ({ ids: { id: pick(known.jobs) } });
  // Files have all rows, 32,640 links for the big job: the bar is meant for pages.
  const jobOrBig = (n: number, pick: Parameters<Ask>[1], isFile: boolean): string =>
    n % 2 === 0 && !isFile ? known.big : pick(known.jobs);
  const ofJobOrBig: Ask = (n, pick, isFile) => ({ ids: { id: jobOrBig(n, pick, isFile) }, query: page(3)(n) });
  const ofTask: Ask = (_, pick) => ({ ids: { id: pick(known.tasks) } });
  const ofProduct: Ask = (_, pick) => ({ ids: { slug: pick(known.prices).slug } });
  const ofPrediction: Ask = (n, pick) => ({
    ids: { slug: pick(known.prices).slug },
    query: `country=${pick(['US', 'DE', 'FI'])}&gpu_count=${1 + (n % 8)}`,
  });
  const compared: Ask = (n, pick) => ({
    query: `items=${Array.from({ length: 2 + (n % 5) }, (_, at) => (at % 2 === 0 ? `task:${pick(known.tasks)}` : `job:${pick(known.jobs)}`)).join(',')}`,
  });
  return {
    '/sign-in': nothing,
    '/sign-up': nothing,
    '/reset': nothing,
    '/method': nothing,
    '/health-rules': (n) => ({ query: page(4)(n) }),
    '/jobs': (n) => ({
      query: [
        page(10)(n),
        `${page(3)(n)}&state=completed_with_warnings`,
        `tags=team-${n % 50}&tags=nightly`,
        `name=job-${n % 100}`,
        `${page(5)(n)}&sort_by=name&sort_order=asc`,
        `${page(5)(n)}&sort_by=node_count`,
        `created_after=${dayBefore(200)}T00:00:00Z&created_before=${dayBefore(100 + (n % 50))}T00:00:00Z`,
        `node_count_min=4&node_count_max=6&has_performance_data=true`,
        `benchmark_id=quick_mark&per_page=100`,
      ][n % 9],
    }),
    '/jobs/new': nothing,
    '/jobs/:id': ofJob,
    '/jobs/:id/start': ofJob,
    '/jobs/:id/abort': ofJob,
    '/jobs/:id/delete': ofJob,
    '/jobs/:id/share': ofJob,
    '/jobs/:id/findings': ofJob,
    '/jobs/:id/nodes': ofJobOrBig,
    '/jobs/:id/together': ofJobOrBig,
    '/jobs/:id/copies': ofJobOrBig,
    '/jobs/:id/links': (n, pick, isFile) => ({
      ids: { id: jobOrBig(n, pick, isFile) },
      query: [page(20)(n), 'sort_by=bandwidth_gbps&sort_order=asc', `${page(5)(n)}&sort_by=latency_us`][n % 3],
    }),
    '/account': nothing,
    '/account/password': nothing,
    '/account/second-factor': nothing,
    '/account/sessions': nothing,
    '/company/members': (n) => ({ query: page(3)(n) }),
    '/company/applications': nothing,
    '/company/keys': nothing,
    '/company/audit': (n) => ({ query: ['', 'action=sign_in', `from=${dayBefore(40)}T00:00:00Z`][n % 3] }),
    '/company/subscription': nothing,
    '/company/subscription/products': nothing,
    '/company/subscription/requests': nothing,
    '/tasks/:id': ofTask,
    '/tasks/:id/samples': ofTask,
    '/tasks/:id/copies': ofTask,
    '/tasks/:id/peers': ofTask,
    '/tasks/:id/inventory': ofTask,
    '/tasks/:id/result': ofTask,
    '/machines': (n) => ({ query: page(20)(n) }),
    '/machines/:uuid': (n, pick) => ({
      ids: { uuid: pick(known.machines) },
      query: `metric=${pick(['bf16_tflops', 'memory_bandwidth_gbs', 'fp16_tflops'])}`,
    }),
    '/compare': compared,
    '/compare/share': compared,
    '/market': (n) => ({
      query: [
        page(3)(n),
        'sort_by=bandwidth&manufacturer=nvidia',
        'sort_by=tdp&sort_order=asc&mem=40-80',
        'name=h100',
        'rental_price=1-3&per_page=100',
      ][n % 5],
    }),
    '/market/archives': (n) => ({ query: ['', 'tier=2', 'interval=month'][n % 3] }),
    '/market/:slug': (n, pick) => {
      const { slug, price_type, country } = pick(known.prices);
      const first = (n * 37) % (days.length - RANGE_DAYS);
      const place = n % 2 === 0 ? `&country=${country}` : '';
      return {
        ids: { slug },
        query: `price_type=${price_type}&start_date=${days[first]}&end_date=${days[first + RANGE_DAYS - 1]}${place}`,
      };
    },
    '/market/:slug/forward': ofProduct,
    '/market/:slug/votes': (_, pick) => {
      const { slug, price_type, country } = pick(known.prices);
      return { ids: { slug }, query: `price_type=${price_type}&country=${country}` };
    },
    '/market/:slug/predict': ofPrediction,
    '/market/:slug/predict/offers': ofPrediction,
    '/market/:slug/rent-or-buy': ofProduct,
    '/carbon': (n, pick) => ({
      query: `gpu_slug=${pick(known.prices).slug}&hours_used=${1 + (n % 500)}&country_code=US&zipcode=9${String(n % 1000).padStart(4, '0')}`,
    }),
    '/tokens/book': (n) => ({ query: `${page(10)(n)}${n % 4 === 0 ? `&developer=developer-${n % 40}` : ''}` }),
    '/tokens/pulse': (n) => ({ query: page(10)(n) }),
    '/tokens/index': (n) => ({ query: `starting_date=${dayBefore(20 + (n % 60))}&ending_date=${dayBefore(1)}` }),
  };
};

/**
 * Redirects, streams, pages for a token that does not exist, one file that is rendered once: there is nothing to time. And the
 * pages of staff, whom the bench is not.
 */
export const leftOut = new Set([
  '/',
  '/sign-up/:token',
  '/reset/:token',
  '/sample-report.pdf',
  ...['', '/users', '/tiers'].flatMap((name) => ['', '.csv', '.json'].map((ending) => `/customers${name}${ending}`)),
  '/jobs/:id/events',
  '/jobs/:id/report.pdf',
  '/market/archives/file',
]);

export interface PageRequests {
  /** the route's path */
  name: string;
  paths: string[];
}

/** Requests for every page in the list, its CSV and its JSON. */
export function pageRequests(routes: readonly PageRoute[], known: Known): PageRequests[] {
  const ask = asks(known);
  return routes.flatMap(({ method, path }): PageRequests[] => {
    const plain = path.replace(/\{[^}]*\}/, '').replace(/\.(csv|json)$/, '');
    if (method !== 'GET' || leftOut.has(path)) return [];
    const ending = /\\?\.(csv|json)\}?$/.exec(path)?.[1];
    const of = ask[plain];
    if (of === undefined) throw new Error(`what is asked of ${path} is not listed`);
    const random = seededRandom(path);
    const pick = <T>(from: readonly T[]): T => {
      const found = from[random.below(from.length)];
      if (found === undefined) throw new Error(`nothing to ask ${path} for`);
      return found;
    };
    const paths = Array.from({ length: KINDS }, (_, n) => {
      const { ids = {}, query = '' } = of(n, pick, ending !== undefined);
      const filled = plain.replace(/:(\w+)/, (_name, name: string) => ids[name] ?? '');
      return `${filled}${ending === undefined ? '' : `.${ending}`}${query === '' ? '' : `?${query}`}`;
    });
    return [{ name: `${plain}${ending === undefined ? '' : `.${ending}`}`, paths: [...new Set(paths)] }];
  });
}

/**
 * The pages with these paths, and their files, separated by spaces as in `/jobs /machines`; all pages if none is given.
 */
export function chosenPages(requests: readonly PageRequests[], wanted = ''): readonly PageRequests[] {
  const paths = wanted.split(/\s+/).filter((path) => path !== '');
  const plain = ({ name }: PageRequests): string => name.replace(/\.(csv|json)$/, '');
  const unknown = paths.filter((path) => !requests.some((request) => plain(request) === path));
  if (unknown.length > 0) throw new Error(`no page has the path ${unknown.join(', ')}`);
  return paths.length === 0 ? requests : requests.filter((request) => paths.includes(plain(request)));
}
