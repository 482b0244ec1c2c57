import type { Grade } from '../../contract/judgement.ts';
import { ruleOfVerdict } from '../../figures/findings/rules.ts';
import { healthyWords as wordsOf } from '../../figures/reference-words.ts';
import type { PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { figure } from '../components/numbers.ts';
import { html, named, type Content } from '../frame/html.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import type { Visit } from '../frame/visit.ts';
import type { TaskView } from './read-task.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { type Measured } from './run-figures.ts';

/** One figure of one device. */
export interface DeviceFigure {
  device: string;
  model: string;
  metric: string;
  measured: Measured | null;
  unavailable: string | null;
  ofPeak: number | null;
  verdict: string | null;
  rule: string | null;
  /** null: not judged */
  grade: Grade | null;
  /** of other customers, for the same engine and arithmetic */
  peers: PeerBand | null;
}

export type TaskListing = Listing<DeviceFigure> & TaskView & { bands: readonly PeerBand[] };

export const isProblem = (grade: Grade | null | undefined): boolean => grade === 'bad' || grade === 'check';

/** The rule behind a mark; what it found is among the problems, and in the files. */
function ruleWords(rule: string | null): string {
  const id = ruleOfVerdict(rule ?? '', 'figure').rule;
  // Of no rule known here, or left out of a shared page.
  return id === 'run_warning' ? named(rule ?? 'in doubt') : id.replaceAll('_', ' ');
}

function cellOf(row: DeviceFigure | undefined): Content {
  if (row === undefined) return '–';
  const doubt = isProblem(row.grade)
    ? html`<small>${row.grade === 'bad' ? '✗' : '!'} ${ruleWords(row.rule)}</small>`
    : null;
  if (row.measured === null) return html`– <small>${named(row.unavailable ?? 'not measured')}</small>${doubt}`;
  const { value, low, high, n } = row.measured;
  const spread = n === 0 ? [] : [low === high ? `n ${n}` : `n ${n}, ${figure(low)} to ${figure(high)}`];
  const peak = row.ofPeak === null ? [] : [`${(row.ofPeak * 100).toFixed(1)} % of the sheet`];
  const support = [...spread, ...peak].join('; ');
  return html`${figure(value)}${support === '' ? null : html`<small>${support}</small>`}${doubt}`;
}

/** There are two bands if the devices were measured by different engines. */
const bandWords = (bands: readonly PeerBand[]): Content =>
  bands.length === 0
    ? '–'
    : bands.map(({ p10, median, p90, customers, engine }) => {
        const of = `median ${figure(median)}, n ${customers} customers${engine === null ? '' : `, engine ${engine}`}`;
        return html`${`${figure(p10)} to ${figure(p90)}`}<small>${of}</small>`;
      });

/** Beside shares of the sheet: what healthy cards reach, for each model of the row and each way of measuring. */
function healthyWords(row: readonly DeviceFigure[]): Content {
  const found = row.flatMap(({ ofPeak: share, model, metric, measured: figures }) =>
    share === null || figures === null ? [] : (wordsOf(model, metric, figures) ?? []),
  );
  const words = [...new Set(found)];
  return words.length === 0 ? null : html`<small>${words.join(', ')}</small>`;
}

/** A row for each figure that some device has, a column for each device. */
export function figureTable(visit: Visit, listing: TaskListing): Content {
  const { devices, rows, bands } = listing;
  const byMetric = [...Map.groupBy(rows, ({ metric }) => metric).values()];
  const isAbsent = (row: readonly DeviceFigure[]): boolean =>
    row.every((one) => one.measured === null && !isProblem(one.grade));
  const columns = [
    {
      name: 'metric',
      label: 'Figure',
      value: (row: DeviceFigure[]) => row[0]?.metric ?? null,
      cell: (row: DeviceFigure[]) =>
        html`${labelOf(row[0]?.metric ?? '')}, ${unitOf(row[0]?.metric ?? '')}${healthyWords(row)}`,
    },
    {
      name: 'peers',
      label: 'Peers, p10 to p90',
      value: () => null,
      cell: (row: DeviceFigure[]) => bandWords(bands.filter(({ metric }) => metric === row[0]?.metric)),
      isNumber: true,
    },
    ...devices.map(({ gpu_id, name }, at) => ({
      name: gpu_id,
      label: name,
      value: () => null,
      cell: (row: DeviceFigure[]) => cellOf(row[at]),
      isNumber: true,
    })),
  ].filter(({ name }) => name !== 'peers' || bands.length > 0);
  const absent = byMetric.filter(isAbsent);
  return html`${dataTable(visit, {
    caption:
      'Figures by device: median, and 5th to 95th percentile of n samples; a figure without n is one value, no samples',
    table: tableOf(columns),
    listing: wholeListing(byMetric.filter((row) => !isAbsent(row))),
    shape: 'scroll',
    ifEmpty: empty(
      'No figures have arrived.',
      html`They come when the machine has
      measured.${visit.shared ? null : html` <a href="/jobs/${listing.task.job_id}/start">The line to run on it</a>`}`,
    ),
  })}${
    absent.length === 0 || devices.length === 0
      ? null
      : html`<p class="small">
          Not measured:
          ${absent.map((row, at) => html`${at === 0 ? null : '; '}${labelOf(row[0]?.metric ?? '')} (${named(row.find(({ unavailable }) => unavailable !== null)?.unavailable ?? 'no reason given')})`)}.
        </p>`
  }`;
}
