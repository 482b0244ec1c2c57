import { gpuPeak } from '../../coordinator/contract/gpu-peaks.ts';
import type { RuledVerdict } from '../../coordinator/contract/figure-verdict.ts';
import { judgePcieLink } from '../../coordinator/contract/pcie-band.ts';
import type { PcieLink } from '../../coordinator/contract/pcie-band.ts';
import { bandOf, judgeByBand } from '../../coordinator/contract/plausibility.ts';
import type { BandContext } from '../../coordinator/contract/plausibility.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import { isPart } from '../kernels/spec-share.ts';
import { valueOf } from './judge-figures.ts';
import type { Figure, Finding } from './judge-figures.ts';

type Facts = Record<string, unknown>;

/** Every figure of a GPU against what its model can reach and cannot pass; none of a figure without such a rule. */
export function bandFindings(
  device: DeviceEvent,
  figures: readonly Figure[],
  events: readonly RunnerEvent[],
): Finding[] {
  // A simulated card has the name of a real one and the speed of this machine.
  if (device.vendor === 'cpu' || device.simulated) return [];
  const details = (metric: string): Facts => {
    const result = events.findLast((event) => event.event === 'result' && event.metric === metric);
    return result?.event === 'result' ? result.details : {};
  };
  return figures.flatMap((figure) => {
    const value = valueOf(figure);
    const link = linkOf(device, details(figure.metric));
    const degraded = value === null || link === null ? null : judgePcieLink(link);
    const findings = degraded === null ? [] : [finding(figure.metric, 'PCIe link', degraded)];
    const band = value === null ? null : bandOf(device.name, figure.metric, contextOf(device, figure, details));
    if (value === null || band === null) return findings;
    return [...findings, finding(figure.metric, 'spec band', judgeByBand(value, band))];
  });
}

const finding = (metric: string, rule: string, { verdict, rule: words }: RuledVerdict): Finding => ({
  metric,
  verdict,
  rule,
  reason: verdict === 'ok' ? null : words,
});

/** Whether there are published figures to judge the device by: else it is judged by its peers only. */
export const isKnownModel = (device: DeviceEvent): boolean => gpuPeak(device.name) !== null;

function contextOf(device: DeviceEvent, { metric, engine }: Figure, details: (metric: string) => Facts): BandContext {
  const energy = details('energy_consumption_wh');
  const integrated = numberOf(energy['integrated_wh']);
  const { mode, path } = details(metric);
  return {
    partitioned: isPart(device),
    fp32_mode: mode === 'tf32' || mode === 'simt' ? mode : null,
    engine,
    path: typeof path === 'string' ? path : null,
    pcie: linkOf(device, details(metric)),
    power_cap_watts: numberOf(device.attributes['power_cap_watts']),
    power_scope: energy['scope'] === 'module' ? 'module' : 'gpu',
    energy: integrated === null ? null : { integrated_wh: integrated },
  };
}

/** The link as it was under load; an idle one runs at generation 1, so the list of devices says nothing of it. */
function linkOf(device: DeviceEvent, details: Facts): PcieLink | null {
  const link = factsOf(details['pcie_under_load'] ?? details['pcie']);
  const most = factsOf(device.attributes['pcie']);
  const [generation, width] = [numberOf(link['generation_current']), numberOf(link['width_current'])];
  if (generation === null && width === null) return null;
  const [generation_max, width_max] = [numberOf(most['generation_max']), numberOf(most['width_max'])];
  return { generation, width, generation_max, width_max };
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const factsOf = (value: unknown): Facts =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {};
