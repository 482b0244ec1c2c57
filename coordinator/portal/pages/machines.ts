import { visibleCustomer } from '../../platform/actor.ts';
import { pageBounds } from '../../platform/page.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { time } from '../components/time.ts';
import { pageAsked } from '../frame/asked.ts';
import { html, named } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { allPages, tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { selectMachines, type MachineRow } from '../queries/machines.ts';

const machines = tableOf<MachineRow>([
  {
    name: 'machine_uuid',
    label: 'Machine',
    value: (row) => row.machine_uuid,
    cell: (row) =>
      html`<a href="/machines/${encodeURIComponent(row.machine_uuid)}">${named(row.hostname ?? row.machine_uuid)}</a
        ><small>${named(row.machine_uuid)}</small>`,
  },
  { name: 'hostname', label: 'Host', value: (row) => row.hostname, isHidden: true },
  {
    name: 'gpu_model',
    label: 'GPU',
    value: (row) => row.gpu_model,
    cell: (row) => (row.gpu_model === null ? 'none reported' : named(row.gpu_model)),
  },
  { name: 'gpu_count', label: 'GPUs', value: (row) => row.gpu_count, isNumber: true },
  { name: 'simulated', label: 'Simulated', value: (row) => row.simulated },
  { name: 'runs', label: 'Runs', value: (row) => row.runs, isNumber: true },
  { name: 'completed', label: 'Completed', value: (row) => row.completed, isNumber: true },
  { name: 'last_at', label: 'Last run', value: (row) => row.last_at.toISOString(), cell: (row) => time(row.last_at) },
]);

/** Rows of a file read at once, about a megabyte: each chunk looks up the newest run of every machine again. */
const AT_ONCE = 5000;

async function load({ context, query }: Visit, paginate = pageAsked(query)): Promise<Listing<MachineRow>> {
  const rows = await selectMachines(context.sql, {
    customerId: visibleCustomer(context.actor),
    ...pageBounds(paginate),
  });
  return { rows, total: rows[0]?.total ?? 0, page: paginate.page_num, perPage: paginate.num_per_page };
}

export const machinePages: readonly PageRoute[] = list(
  '/machines',
  { who: 'member' },
  {
    table: machines,
    load: (visit) => load(visit),
    loadAll: (visit) => allPages((page) => load(visit, { num_per_page: AT_ONCE, page_num: page })),
    show: (visit, listing) =>
      page(visit, {
        title: 'Machines',
        nav: 'machines',
        facts: `${listing.total ?? 0} ${listing.total === 1 ? 'machine' : 'machines'} that ran a job`,
        body: dataTable(visit, {
          caption: 'Machines, the newest run first',
          table: machines,
          listing,
          filesHaveAll: true,
          ifEmpty: empty(
            'No machine has run a job yet.',
            html`<a href="/jobs/new">Create a job</a>; its page has the line to paste on the machine, such as:`,
            'GPUMARK_API_KEY=JOB_TOKEN gpumark-agent',
          ),
        }),
      }),
  },
);
