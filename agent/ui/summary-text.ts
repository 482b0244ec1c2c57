import { ofOneNode } from '../../coordinator/figures/findings/finding-words.ts';
import type { RunSummary } from '../run/run-summary.ts';
import { modelBlocks, type Placed, remarkLines } from './figure-lines.ts';
import { durationText } from './figure-text.ts';
import type { LinkView } from './link-view.ts';
import { matrixBlock } from './matrix-text.ts';
import { networkBlocks } from './network-block.ts';
import type { Paint } from './paint.ts';
import { padEnd, printable, wrapText } from './text-width.ts';
import { problemLines, type Shown, unmeasuredLines, verdictLines, WIDTH } from './verdict-text.ts';

/**
 * The result as text for people: first and last the verdict, then what is wrong and what to do, the figures, and what was not
 * measured. Without the error that ended a run, which main.ts prints to stderr.
 */
export function summaryText(
  summary: RunSummary,
  paint: Paint,
  { verbose = false, links = null }: { verbose?: boolean; links?: LinkView | null } = {},
): string {
  if (summary.outcome === 'planned') return `${outcomeLines(summary, paint).join('\n')}\n`;
  const runs = measurementsOf(summary);
  const [first = []] = runs;
  const areProcessors = first[0]?.device.vendor === 'cpu';
  const shown: Shown = {
    judgement: summary.judgement,
    names: ofOneNode(new Set(summary.devices.map(({ device_id }) => device_id)).size, areProcessors),
    areProcessors,
    isSimulated: summary.devices.some(({ simulated }) => simulated),
    verbose,
    paint,
  };
  const verdict = verdictLines(shown);
  const devices = first.map(({ device }) => device);
  const blocks = [
    verdict,
    problemLines(shown),
    ...runs.flatMap((run) => [...Map.groupBy(run, modelOf).values()].flatMap((models) => modelBlocks(models, shown))),
    ...(summary.matrix === null ? [] : [matrixBlock(summary.matrix, devices, paint)]),
    ...networkBlocks(summary, links, paint),
    unmeasuredLines(shown),
    remarkLines(runs.flat(), summary, shown),
    outcomeLines(summary, paint),
    verdict,
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const modelOf = ({ device }: Placed): string => `${device.name} ${device.simulated}`;

/** The devices of each quick_mark of a job: a device that comes again begins the next one. */
function measurementsOf({ devices }: RunSummary): Placed[][] {
  const ids = [...new Set(devices.map(({ device_id }) => device_id))];
  const runs: Placed[][] = [];
  for (const device of devices) {
    const last = runs.at(-1);
    const one = { device, place: ids.indexOf(device.device_id) };
    if (last === undefined || last.some(({ place }) => place === one.place)) runs.push([one]);
    else last.push(one);
  }
  return runs;
}

function outcomeLines(summary: RunSummary, paint: Paint): string[] {
  const facts: [string, string | null][] = [
    ['job', summary.job_url],
    ['report', summary.report_url],
    ['engine', summary.engine === 'auto' ? null : `${summary.engine}, as asked for`],
    ['resumed', summary.resumed === 0 ? null : `${summary.resumed} ${summary.resumed === 1 ? 'time' : 'times'}`],
    ['waiting in', summary.spool_file],
    ['trace', summary.trace_id],
    ['next', summary.next_command],
  ];
  return [
    paint('bold', headline(summary)),
    ...facts.flatMap(([name, value]) =>
      (value === null ? [] : wrapText(printable(value), WIDTH - 13)).map(
        (line, index) => `  ${padEnd(index === 0 ? name : '', 11)}${line}`,
      ),
    ),
  ];
}

function headline(summary: RunSummary): string {
  const time = durationText(summary.seconds);
  if (summary.outcome === 'planned') return 'Plan only: nothing was measured';
  if (summary.outcome === 'aborted') return `Stopped after ${time}`;
  if (summary.outcome === 'failed' && summary.devices.length === 0) return `Failed after ${time}, nothing measured`;
  const isProcessor = summary.devices.every(({ vendor }) => vendor === 'cpu');
  const done = isProcessor ? 'Measured the processor, not a GPU,' : 'Measured';
  const measured = `${summary.outcome === 'failed' ? 'Failed' : done} in ${time}`;
  if (summary.saved) return `${measured}, result delivered`;
  if (summary.spool_file !== null) return `${measured}, result waits in the spool`;
  return summary.mode === 'quick-test' ? `${measured}. Quick test: NOT SAVED` : `${measured}, result not delivered`;
}
