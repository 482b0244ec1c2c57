import { placeWords } from '../../coordinator/figures/findings/finding-words.ts';
import { metricNames } from '../../coordinator/figures/metric-names.ts';
import type { RunSummary } from '../run/run-summary.ts';
import { type Placed, REMARK, remarksOn } from './figure-lines.ts';
import { marked, SHORT_LINES, type Shown } from './verdict-text.ts';

/** What is worth knowing and needs nothing done: of good figures, and of the health rules; each once for all its devices. */
export function remarkLines(devices: readonly Placed[], { node_health }: RunSummary, shown: Shown): string[] {
  const { names, verbose, paint } = shown;
  const ofFigures = [...Map.groupBy(devices.flatMap(remarksOn), ({ reason }) => reason)].map(([reason, group]) => ({
    places: group.map(({ place }) => place),
    words: `${metricNames([...new Set(group.map(({ metric }) => metric))])}: ${reason}`,
  }));
  const infos = [
    ...devices.flatMap(({ device, place }) => device.health.map((finding) => ({ finding, places: [place] }))),
    ...node_health.map((finding) => ({ finding, places: [] })),
  ].filter(({ finding }) => finding.severity === 'info');
  const ofHealth = infos.map(({ finding: { evidence, of, rule }, places }) => ({
    places,
    words: `${of === undefined || evidence.includes(of) ? '' : `${of}: `}${evidence} [${rule}]`,
  }));
  const all = [...Map.groupBy([...ofHealth, ...ofFigures], ({ words }) => words)].map(([words, group]) => {
    const places = [...new Set(group.flatMap((one) => one.places))].toSorted((a, b) => a - b);
    return `${placeWords({ nodes: [], devices: places }, names)}: ${words}`;
  });
  if (all.length === 0) return [];
  const few = verbose || all.length <= SHORT_LINES ? all : all.slice(0, SHORT_LINES - 1);
  const mark = paint('dim', REMARK);
  return [
    paint('bold', 'Worth knowing, nothing to do'),
    ...few.flatMap((text) => marked(mark, text, '  ')),
    ...(few.length === all.length ? [] : marked(mark, `${all.length - few.length} more: --verbose`, '  ')),
  ];
}
