import type { Grade } from '../../contract/judgement.ts';
import { deviceName, placeWords } from '../../figures/findings/finding-words.ts';
import { scrollRegion } from '../components/scroll-region.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import { deviceGrades, type Grades } from './device-grades.ts';
import { isOfProcessors, unitOfDevices } from './hardware.ts';
import { isOver, type JobView } from './job-view.ts';
import { placesOf } from './places.ts';
import { gradeWords } from './problems.ts';

type Node = JobView['nodes'][number];

/** Devices of one row; a machine with more has several rows. */
const ACROSS = 16;
/** Nodes shown; of more, those with problems come first. */
const MOST_NODES = 24;
/** Nodes of whose devices each mark is a link; with more, 2,000 links would make the page too large. */
const MOST_LINKED = 8;
const NAMED_MAX = 3;
const WORST_FIRST: readonly Grade[] = ['bad', 'check', 'not_measured', 'good'];

/** A shape for each grade, so that none is told by colour alone. */
const marks: Record<Grade, { sign: string; tone: string }> = {
  good: { sign: '✓', tone: 'ok' },
  check: { sign: '!', tone: 'warn' },
  bad: { sign: '✗', tone: 'bad' },
  not_measured: { sign: '–', tone: 'none' },
};

/** Every device of the job by node, coloured and marked by its worst finding; the worst are named. */
export function gpuGrid(view: JobView): Content {
  const counted = view.nodes.map((node) => ({ node, count: countOf(view, node) })).filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total < 2) return null;
  const grades = deviceGrades(view);
  const worstOf = ({ node, count }: { node: Node; count: number }): number =>
    Math.min(...Array.from({ length: count }, (_, device) => WORST_FIRST.indexOf(grades.of(node.node, device))));
  const ordered = counted.length > MOST_NODES ? counted.toSorted((a, b) => worstOf(a) - worstOf(b)) : counted;
  const shown = ordered.slice(0, MOST_NODES);
  const across = Math.min(ACROSS, Math.max(...shown.map(({ count }) => count)));
  const hidden = counted.length - shown.length;
  const unit = isOfProcessors(view) ? 'Processors' : 'GPUs';
  return html`<h2>${unit}</h2>
    ${worstNamed(view)}
    ${scrollRegion(
      `${unit} by node`,
      html`<table class="grid">
        <caption>
          ${total} ${unitOfDevices(view, total)} by node: ✓ good, ! to check, ✗ bad, –
          ${isOver(view.job) ? 'not measured' : 'not measured yet'}${hidden === 0 ? null : `; ${hidden} more nodes are in the list below`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Node</th>
            ${Array.from({ length: across }, (_, index) => html`<th scope="col">${index}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ node, count }) => rowsOf(view, node, { count, across, grades }))}
        </tbody>
      </table>`,
    )}`;
}

/** Devices of a node: those measured, or those of its inventory. */
const countOf = ({ figures }: JobView, node: Node): number =>
  figures.get(node.id)?.devices.length ?? node.gpu_count ?? 0;

function rowsOf(
  view: JobView,
  node: Node,
  { count, across, grades }: { count: number; across: number; grades: Grades },
): Html[] {
  const names = placesOf(view);
  const href = `${view.viewer.base}/tasks/${node.id}`;
  const areProcessors = isOfProcessors(view);
  return Array.from({ length: Math.ceil(count / across) }, (_, row) => {
    const cells = Array.from({ length: Math.min(across, count - row * across) }, (__, column) => {
      const device = row * across + column;
      const grade = grades.of(node.node, device);
      const { sign, tone } = marks[grade];
      const label = `${deviceName(device, { count, areProcessors })}, ${gradeWords[grade]}`;
      return view.nodes.length <= MOST_LINKED && (grade === 'bad' || grade === 'check')
        ? html`<td class="${tone}"><a href="${href}#problems" aria-label="${label}">${sign}</a></td>`
        : html`<td class="${tone}">${sign}</td>`;
    });
    const name = named(names.nodeName(node.node));
    const from = count > across ? `, from ${row * across}` : '';
    return html`<tr>
      <th scope="row">${row === 0 ? html`<a href="${href}">${name}</a>` : name}${from}</th>
      ${cells}
    </tr>`;
  });
}

/** The first findings that name a device, which are the worst. */
function worstNamed(view: JobView): Content {
  const names = placesOf(view);
  const ofDevices = view.judgement.findings.filter(({ devices }) => devices.length > 0);
  const places = [...new Set(ofDevices.map((finding) => placeWords(finding, names)))];
  if (places.length === 0) return null;
  return html`<p>Worst: <strong>${named(places.slice(0, NAMED_MAX).join('; '))}</strong></p>`;
}
