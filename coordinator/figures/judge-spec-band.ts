import type { RuledVerdict } from '../contract/figure-verdict.ts';
import { certain } from './gpu-peak.ts';
import { gpuPeak, isPart, peakFigure } from './gpu-peaks.ts';
import { type Finding, type JudgedFigure, valueOf } from './judge-figure.ts';
import { clockWords } from './judge-lanes.ts';
import { type Band, type BandContext, bandOf, judgeByBand, judgePcieLink, type PcieLink } from './plausibility.ts';

type Facts = Record<string, unknown>;

/** What the rules read of a device, as its runner or its upload describes it. */
export interface JudgedDevice {
  device_id: string;
  name: string;
  vendor: string;
  simulated: boolean;
  attributes: Facts;
}

/** Every figure of a GPU against the range its model can reach; no finding for a figure without such a rule. */
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
    if (value !== null && isCopy(figure.metric)) findings.push(...slotRemarks(device, figure.metric, link));
    const band = value === null ? null : bandOf(device.name, figure.metric, contextOf(device, figure, details));
    if (value === null || band === null) return findings;
    const judged = finding(figure.metric, 'spec band', judgeByBand(value, band));
    if (judged.verdict === 'ok' && band.unsure !== undefined && value < band.unsure.below)
      judged.reason = band.unsure.words;
    if (judged.reason !== null && value < band.low)
      judged.reason += clockWords(device, figure.metric, details(figure.metric));
    return [...findings, isBeyond(figure, value, band) ? { ...judged, beyond: true } : judged];
  });
}

/**
 * Share of the published rate that memory bandwidth, a multiply-add or an issue peak reached; matrix products report theirs
 * themselves. Null for a processor, a simulated device, a part of a card, an unknown model, or if sheets contradict each other.
 */
export function shareOfPeak(
  device: Pick<JudgedDevice, 'name' | 'vendor' | 'simulated'> & { isPart: boolean },
  metric: string,
  value: number,
): number | null {
  const peak = device.vendor === 'cpu' || device.simulated || device.isPart ? null : gpuPeak(device.name);
  if (peak === null) return null;
  const column = metric === 'memory_bandwidth_gbs' ? metric : peakFigure(peak, metric, { mode: null, path: null });
  const published = column === null ? null : certain(peak, column);
  return published === null ? null : value / published;
}

/**
 * Power and temperature do not count, as they are not throughputs; nor do copies if the link may have been read wrongly, and
 * the peak probes of cards sold overclocked, which exceed the sheet by their clock.
 */
const isBeyond = ({ metric, unit }: JudgedFigure, value: number, { high, above }: Band): boolean =>
  value > high &&
  (above === 'bad'
    ? unit === 'TFLOP/s' || unit === 'GB/s'
    : (unit === 'TFLOP/s' && !peakProbe.test(metric)) || metric === 'memory_bandwidth_gbs');

const peakProbe = /^(fma|matrix_issue)_/;

const finding = (metric: string, rule: string, { verdict, rule: words }: RuledVerdict): Finding => ({
  metric,
  verdict,
  rule,
  reason: verdict === 'ok' ? null : words,
});

function contextOf(
  device: JudgedDevice,
  { metric, engine, load = null }: JudgedFigure,
  details: (metric: string) => Facts,
): BandContext {
  const energy = details('energy_consumption_wh');
  const integrated = numberOf(energy['integrated_wh']);
  const { mode, path } = details(metric);
  return {
    partitioned: isPart(device),
    fp32_mode: mode === 'tf32' || mode === 'simt' ? mode : null,
    engine,
    load,
    path: typeof path === 'string' ? path : null,
    pcie: linkOf(device, details(metric)),
    power_cap_watts: numberOf(device.attributes['power_cap_watts']),
    power_scope: energy['scope'] === 'module' ? 'module' : 'gpu',
    energy: integrated === null ? null : { integrated_wh: integrated },
  };
}

/** The link as read under load; an idle one runs at generation 1, so the list of devices does not show it. */
function linkOf(device: JudgedDevice, details: Facts): PcieLink | null {
  const link = factsOf(details['pcie_under_load'] ?? details['pcie']);
  const most = factsOf(device.attributes['pcie']);
  const [generation, width] = [numberOf(link['generation_current']), numberOf(link['width_current'])];
  const [generation_max, width_max] = [numberOf(most['generation_max']), numberOf(most['width_max'])];
  if ([generation, width, generation_max, width_max].every((one) => one === null)) return null;
  return { generation, width, generation_max, width_max };
}

/**
 * A remark on a copy whose link is less than the card's sheet has, which is its owner's choice, or that could not be read.
 */
function slotRemarks(device: JudgedDevice, metric: string, link: PcieLink | null): Finding[] {
  const peak = isPart(device) ? null : gpuPeak(device.name);
  if (peak === null || peak.pcie === null) return [];
  const { generation, width } = peak.pcie;
  const remark = (reason: string): Finding[] => [{ metric, verdict: 'ok', rule: 'PCIe slot', reason }];
  if (link === null)
    return remark(
      `the PCIe link was not read, so the copy is not judged: ${peak.name} can have generation ${generation} x${width}`,
    );
  const { generation_max = null, width_max = null } = link;
  if ((generation_max ?? generation) >= generation && (width_max ?? width) >= width) return [];
  return remark(
    `the slot gives generation ${generation_max ?? '?'} x${width_max ?? '?'}: ${peak.name} can have generation ${generation} x${width}`,
  );
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const factsOf = (value: unknown): Facts =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {};

export const isCopy = (metric: string): boolean =>
  metric === 'host_to_device_bandwidth_gbs' || metric === 'device_to_host_bandwidth_gbs';
