import type { RuledVerdict } from '../contract/figure-verdict.ts';
import { isPart } from './gpu-peaks.ts';
import { valueOf, type Finding, type JudgedFigure } from './judge-figure.ts';
import { judgePcieLink, type PcieLink } from './pcie-band.ts';
import { bandOf, judgeByBand, type Band, type BandContext } from './plausibility.ts';

type Facts = Record<string, unknown>;

/** What the rules read of a device, as its runner or its upload describes it. */
export interface JudgedDevice {
  device_id: string;
  name: string;
  vendor: string;
  simulated: boolean;
  attributes: Facts;
}

/** Every figure of a GPU against what its model can reach and cannot pass; none of a figure without such a rule. */
export function bandFindings(
  device: JudgedDevice,
  figures: readonly JudgedFigure[],
  details: (metric: string) => Facts,
): Finding[] {
  // A simulated card has the name of a real one and the speed of this machine.
  if (device.vendor === 'cpu' || device.simulated) return [];
  return figures.flatMap((figure) => {
    const value = valueOf(figure);
    const link = linkOf(device, details(figure.metric));
    const degraded = value === null || link === null ? null : judgePcieLink(link);
    const findings = degraded === null ? [] : [finding(figure.metric, 'PCIe link', degraded)];
    const band = value === null ? null : bandOf(device.name, figure.metric, contextOf(device, figure, details));
    if (value === null || band === null) return findings;
    const judged = finding(figure.metric, 'spec band', judgeByBand(value, band));
    return [...findings, isBeyond(figure, value, band) ? { ...judged, beyond: true } : judged];
  });
}

/** Power and temperature are no throughput; a copy may pass a link that was read wrongly. */
const isBeyond = ({ metric, unit }: JudgedFigure, value: number, { high, above }: Band): boolean =>
  value > high && (unit === 'TFLOP/s' || metric === 'memory_bandwidth_gbs' || (unit === 'GB/s' && above === 'bad'));

const finding = (metric: string, rule: string, { verdict, rule: words }: RuledVerdict): Finding => ({
  metric,
  verdict,
  rule,
  reason: verdict === 'ok' ? null : words,
});

function contextOf(
  device: JudgedDevice,
  { metric, engine }: JudgedFigure,
  details: (metric: string) => Facts,
): BandContext {
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
function linkOf(device: JudgedDevice, details: Facts): PcieLink | null {
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
