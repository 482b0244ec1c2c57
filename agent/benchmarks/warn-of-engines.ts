import { engineNames, gemmMetrics } from '../../coordinator/contract/matrix-engine.ts';
import type { MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import { metricLabel } from '../ui/metric-labels.ts';
import type { DeviceSummary } from '../run/run-summary.ts';

/** Of cards of both kinds more than this many are counted, not named. */
const NAMED_MAX = 4;

/**
 * One warning where cards of this node were measured by different engines: each figure is right, but the node's sums and
 * a comparison of its cards hold two programs. Names the fewer, since one card that lost its library is the usual cause.
 */
export function engineWarnings(devices: readonly DeviceSummary[]): string[] {
  const causes = gemmMetrics.flatMap((metric) => {
    const places = (engine: MatrixEngine): number[] =>
      devices.flatMap((device, index) =>
        device.metrics.some((one) => one.metric === metric && one.engine === engine) ? [index + 1] : [],
      );
    const [vendor, own] = [places('vendor'), places('own')];
    return vendor.length === 0 || own.length === 0 ? [] : [{ metric, words: sentence(vendor, own) }];
  });
  return [...Map.groupBy(causes, ({ words }) => words)].map(
    ([words, group]) => `${group.map(({ metric }) => metricLabel(metric)).join(', ')}: ${words}`,
  );
}

function sentence(vendor: readonly number[], own: readonly number[]): string {
  const by = (engine: MatrixEngine, places: readonly number[]): string => {
    const named = places.length <= NAMED_MAX && places.length <= Math.min(vendor.length, own.length);
    const which = named ? ` (device ${places.join(', ')})` : '';
    return `${places.length} with ${engineNames[engine]}${which}`;
  };
  return `${by('vendor', vendor)}, ${by('own', own)}: the sums hold both; run with --engine own to compare the cards`;
}
