import { quickMarkMetrics } from '../../contract/quick-mark.ts';
import { togetherFindings } from '../../figures/judge-together.ts';
import { status } from '../components/status.ts';
import { digits } from '../components/numbers.ts';
import { scrollRegion } from '../components/scroll-region.ts';
import { html, named, type Content } from '../frame/html.ts';
import { deviceName } from '../../figures/findings/finding-words.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { filesOf, nodeLabel, type JobView } from './job-view.ts';
import { isOfProcessors, unitOfDevices } from './hardware.ts';
import type { DeviceFigures } from './node-figures.ts';

interface Row {
  metric: string;
  count: number;
  /** the device that loses most */
  where: string;
  alone: number;
  /** number of samples of which `alone` is the median; null: not reported */
  samples: number | null;
  value: number;
  /** the same for `value`, measured with all devices at work */
  valueSamples: number | null;
  gap: number;
}

/** What it loses and how much it may, by the rule that the figure itself is judged by. */
function verdictOf(metric: string, value: number, alone: number): Content {
  const [finding] = togetherFindings({ [metric]: { value, alone } });
  const limit = finding === undefined ? '' : `, ${finding.limit.replace(/^\w+/, 'limit')}`;
  const loss = 1 - value / alone;
  const words = loss > 0 ? `loses ${(loss * 100).toFixed(1)} %` : 'loses nothing';
  return status(finding?.verdict ?? 'ok', `${words}${limit}`);
}

/** Sample count of a device's value alone; null if its agent did not report it, or measured that value in another run. */
export function samplesAlone({ stats, values, together: both }: DeviceFigures, metric: string): number | null {
  const told = both[metric]?.alone_samples;
  if (told !== undefined) return told;
  const known = quickMarkMetrics.find((name) => name === metric);
  if (known === undefined || values.get(known) !== both[metric]?.alone) return null;
  return stats.get(known)?.n ?? null;
}

const devicesOf = ({ figures }: JobView, { id }: JobView['nodes'][number]): readonly DeviceFigures[] =>
  figures.get(id)?.devices ?? [];

/** Each figure measured alone and while all devices of the node worked; names the device that loses most for each. */
export function together(view: JobView): Content {
  const found = view.nodes.flatMap((node) =>
    devicesOf(view, node).flatMap((device, index) =>
      Object.entries(device.together).flatMap(([metric, { value, alone, gap, samples }]): Row[] =>
        value === null || alone === null || gap === null
          ? []
          : [
              {
                metric,
                value,
                valueSamples: samples ?? null,
                alone,
                samples: samplesAlone(device, metric),
                gap,
                count: 1,
                where: `${nodeLabel(node, view.viewer)}, ${deviceName(index, { count: devicesOf(view, node).length, areProcessors: isOfProcessors(view) })}`,
              },
            ],
      ),
    ),
  );
  if (found.length === 0) return null;
  const rows = [...Map.groupBy(found, ({ metric }) => metric).values()].flatMap((of) => {
    const [worst] = of.toSorted((a, b) => b.gap - a.gap);
    return worst ? [{ ...worst, count: of.length }] : [];
  });
  return html`<h2>Alone and with all ${unitOfDevices(view, 2)} of the node at work</h2>
    ${scrollRegion(
      'Alone and together',
      html`<table>
        <caption>
          For each figure the device that loses most
        </caption>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Device</th>
            <th scope="col" class="r">Alone</th>
            <th scope="col" class="r">All at work</th>
            <th scope="col">With all at work</th>
            <th scope="col" class="r">Of devices</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ metric, where, alone, samples, value, valueSamples, count }) => {
            const unit = unitOf(metric);
            return html`<tr>
              <th scope="row">${named(labelOf(metric))}</th>
              <td>${named(where)}</td>
              <td class="r">${digits(alone)} ${unit}${samples === null ? null : `, n ${samples}`}</td>
              <td class="r">${digits(value)} ${unit}${valueSamples === null ? null : `, n ${valueSamples}`}</td>
              <td>${verdictOf(metric, value, alone)}</td>
              <td class="r">${count}</td>
            </tr>`;
          })}
        </tbody>
      </table>`,
    )}
    <p class="small">${filesOf(view, 'together')}</p>`;
}
