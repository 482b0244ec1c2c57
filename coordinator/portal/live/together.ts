import { quickMarkMetrics } from '../../contract/quick-mark.ts';
import { togetherFindings } from '../../figures/judge-together.ts';
import { status } from '../components/status.ts';
import { digits, percent } from '../components/numbers.ts';
import { scrollRegion } from '../components/scroll-region.ts';
import { html, named, type Content } from '../frame/html.ts';
import { filesOf, nodeLabel, type JobView } from './job-view.ts';
import { unitOfDevices } from './hardware.ts';
import type { DeviceFigures } from './node-figures.ts';

const names: Readonly<Record<string, [label: string, unit: string]>> = {
  fp32_tflops: ['fp32', 'TFLOP/s'],
  fp16_tflops: ['fp16', 'TFLOP/s'],
  bf16_tflops: ['bf16', 'TFLOP/s'],
  fp8_tflops: ['fp8', 'TFLOP/s'],
  memory_bandwidth_gbs: ['Memory', 'GB/s'],
  host_to_device_bandwidth_gbs: ['Host to device', 'GB/s'],
  device_to_host_bandwidth_gbs: ['Device to host', 'GB/s'],
};

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

/** By the rule that the figure itself is judged by. */
function verdictOf(metric: string, value: number, alone: number): Content {
  const [finding] = togetherFindings({ [metric]: { value, alone } });
  return status(finding?.verdict ?? 'ok', finding?.limit ?? '');
}

/** Sample count of a device's value alone; null if its agent did not report it, or measured that value in another run. */
export function samplesAlone({ stats, values, together: both }: DeviceFigures, metric: string): number | null {
  const told = both[metric]?.alone_samples;
  if (told !== undefined) return told;
  const known = quickMarkMetrics.find((name) => name === metric);
  if (known === undefined || values.get(known) !== both[metric]?.alone) return null;
  return stats.get(known)?.n ?? null;
}

/** Each figure measured alone and while all devices of the node worked; names the device that loses most for each. */
export function together(view: JobView): Content {
  const found = view.nodes.flatMap((node) =>
    (view.figures.get(node.id)?.devices ?? []).flatMap((device, index) =>
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
                where: `${nodeLabel(node, view.viewer)}, ${unitOfDevices(view, 1)} ${index}`,
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
            <th scope="col" class="r">Change</th>
            <th scope="col" class="r">Of devices</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ metric, where, alone, samples, value, valueSamples, gap, count }) => {
            const [label = metric.replaceAll('_', ' '), unit = ''] = names[metric] ?? [];
            return html`<tr>
              <th scope="row">${named(label)}</th>
              <td>${named(where)}</td>
              <td class="r">${digits(alone)} ${unit}${samples === null ? null : `, n ${samples}`}</td>
              <td class="r">${digits(value)} ${unit}${valueSamples === null ? null : `, n ${valueSamples}`}</td>
              <td class="r">${percent(-gap)}</td>
              <td class="r">${count}</td>
              <td>${verdictOf(metric, value, alone)}</td>
            </tr>`;
          })}
        </tbody>
      </table>`,
    )}
    <p class="small">${filesOf(view, 'together')}</p>`;
}
