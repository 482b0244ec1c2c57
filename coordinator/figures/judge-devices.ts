import { conditionFindings } from './judge-conditions.ts';
import { engineFindings } from './judge-engines.ts';
import { valueOf, type Finding, type JudgedFigure } from './judge-figure.ts';
import { judgePeerGroup } from './judge-peers.ts';
import { publishedFindings } from './judge-published.ts';
import { bandFindings, type JudgedDevice } from './judge-spec-band.ts';

/** A device with its figures and what its run said beside them. */
export interface MeasuredFigures<F extends JudgedFigure = JudgedFigure> {
  device: JudgedDevice;
  figures: readonly F[];
  /** of one metric; empty where nothing is known */
  details: (metric: string) => Record<string, unknown>;
}

/** Units of what can be compared, and whether less is better. Power, temperature and energy differ from card to card of one make. */
const COMPARED_UNITS: Readonly<Record<string, 'rate' | 'latency'>> = {
  'GB/s': 'rate',
  'TFLOP/s': 'rate',
  ns: 'latency',
};
export const isCompared = ({ unit }: JudgedFigure): boolean => COMPARED_UNITS[unit] !== undefined;
export const isLatency = ({ unit }: JudgedFigure): boolean => COMPARED_UNITS[unit] === 'latency';

/**
 * What the rules that look beyond a single figure say of the devices of a node, in the order of `devices`: spec band,
 * physical limits, peers in the node, `further` (such as a baseline), both engines beside each other, then what happened to the card during the
 * run. The agent judges by them before it uploads, the coordinator again what it is sent.
 */
export function judgeDevices<D extends MeasuredFigures>(
  devices: readonly D[],
  further: (measured: D) => Finding[] = () => [],
): Finding[][] {
  const peers = peerFindings(devices);
  return devices.map((measured) => {
    const { device, figures, details } = measured;
    return [
      ...bandFindings(device, figures, details),
      ...publishedFindings(device, figures),
      ...(peers.get(measured) ?? []),
      ...further(measured),
      ...engineFindings(figures, details),
      ...conditionFindings(figures, details),
    ];
  });
}

/** Cards of one model beside their median; with two, nobody can say which of them is wrong, so both are marked. */
function peerFindings(devices: readonly MeasuredFigures[]): Map<MeasuredFigures, Finding[]> {
  const found = new Map<MeasuredFigures, Finding[]>(devices.map((measured) => [measured, []]));
  const cards = devices.filter(({ device }) => device.vendor !== 'cpu');
  for (const model of Map.groupBy(cards, ({ device }) => device.name).values()) {
    const metrics = new Set(model.flatMap(({ figures }) => figures.filter(isCompared).map((figure) => figure.metric)));
    for (const metric of metrics) {
      const having = model.flatMap((measured) => {
        const figure = measured.figures.find((one) => one.metric === metric);
        const value = figure === undefined ? null : valueOf(figure);
        return figure === undefined || value === null || value <= 0 ? [] : [{ measured, figure, value }];
      });
      const better = having.some(({ figure }) => isLatency(figure)) ? 'lower' : 'higher';
      for (const { card, finding } of judgePeerGroup(having, better)) found.get(card.measured)?.push(finding);
    }
  }
  return found;
}
