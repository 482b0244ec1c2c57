import { type HealthFinding, type NotReadSignals } from '../../contract/health.ts';
import { type Judgement, MOST_FINDINGS_OF_NODE, type RunFinding, type Unmeasured } from '../../contract/judgement.ts';
import type { QuickMarkResults } from '../../contract/quick-mark.ts';
import { gemmMetrics, engineNames } from '../../contract/matrix-engine.ts';
import { engineBehind } from '../aggregate-figures.ts';
import { copyFindings } from './copy-findings.ts';
import { emptyDevices, figureFindings, gradedFigures, unmeasuredOf } from './device-findings.ts';
import { foundBy, healthActs } from './rules.ts';
import { countFindings, countGrades, countNode, gradeOf, sortFindings } from './verdict.ts';

/**
 * The judgement of one node's results: its devices' figures by their verdicts, health, copies between GPUs, engines. Pure and the same
 * for agent and coordinator; `results` have been judged (`judgeResults`, or the agent before it uploads). `taskJudgement` adds what the
 * agent warned of, and how the run ended.
 * @param results null if nothing could be measured
 */
export function nodeJudgement(results: QuickMarkResults | null): Judgement {
  const devices = results?.test_results ?? [];
  const ids = devices.map(({ gpu_id }) => gpu_id);
  const graded = gradedFigures(devices);
  const cells = results?.aggregate_results.gpu_bandwidth_matrix ?? [];
  const ofFigures = figureFindings(graded);
  const findings = sortFindings([
    ...healthOf(results),
    ...ofFigures,
    ...emptyDevices(graded, new Set(ofFigures.flatMap((finding) => finding.devices))),
    ...copyFindings(cells, ids),
    ...engineFindings(devices),
  ]);
  const figures = countGrades(graded.map(({ grade }) => grade));
  const copies = cells.filter(({ simplex_gbs, verdict }) => simplex_gbs !== null || verdict !== 'absent');
  const links = {
    of: copies.length,
    bad: copies.filter(({ verdict }) => verdict === 'bad').length,
    check: copies.filter(({ verdict }) => verdict === 'warn').length,
  };
  return {
    verdict: {
      grade: gradeOf(findings, figures, links),
      ...countFindings(findings),
      ...countNode(findings, devices.length),
      links,
      figures,
    },
    findings: findings.slice(0, MOST_FINDINGS_OF_NODE),
    not_measured: [...unmeasuredOf(graded), ...unreadOf(results)].slice(0, MOST_FINDINGS_OF_NODE),
  };
}

/** Findings of the health rules; those of several devices with the same evidence are one. Remarks are left out. */
function healthOf(results: QuickMarkResults | null): RunFinding[] {
  const all = [
    ...(results?.test_results ?? []).flatMap(({ health = [] }, device) => health.map((found) => ({ device, found }))),
    ...(results?.node_health ?? []).map((found) => ({ device: null, found })),
  ].filter(({ found }) => found.severity !== 'info');
  const groups = Map.groupBy(
    all,
    ({ device, found }) => `${device === null} ${found.rule} ${found.of} ${found.evidence}`,
  );
  return [...groups.values()].flatMap((group): RunFinding[] => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      healthFinding(
        first.found,
        group.flatMap(({ device }) => device ?? []),
      ),
    ];
  });
}

export const healthFinding = (
  { rule, severity, evidence, action, source, of }: HealthFinding,
  devices: number[],
): RunFinding => ({
  rule,
  grade: severity === 'critical' ? 'bad' : 'check',
  nodes: [],
  devices,
  figures: [],
  ...(of === undefined ? {} : { link: of }),
  evidence: evidence || 'no evidence was given',
  action: healthActs[action],
  health: { severity, source },
});

const unreadOf = (results: QuickMarkResults | null): Unmeasured[] => {
  const all = [
    ...(results?.test_results ?? []).flatMap(({ health_not_read: list = [] }, device) =>
      list.map((unread) => ({ device, unread })),
    ),
    ...(results?.node_health_not_read ?? []).map((unread) => ({ device: null, unread })),
  ];
  const keyOf = ({ because, signals }: NotReadSignals): string => `${because} ${signals.join(' ')}`;
  return [...Map.groupBy(all, ({ unread }) => keyOf(unread)).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { because, signals } = first.unread;
    return [{ nodes: [], devices: group.flatMap(({ device }) => device ?? []), figures: [], signals, because }];
  });
};

/** Cards of one node measured by different engines: each figure is right, but sums and comparisons mix two programs. */
function engineFindings(devices: QuickMarkResults['test_results']): RunFinding[] {
  const mixed = gemmMetrics.flatMap((metric) => {
    const engines = devices.map((device) => engineBehind(device, metric));
    const by = (engine: string): number[] => engines.flatMap((one, index) => (one === engine ? [index] : []));
    const [vendor, own] = [by('vendor'), by('own')];
    return vendor.length === 0 || own.length === 0 ? [] : [{ metric, vendor, own }];
  });
  const groups = Map.groupBy(mixed, ({ vendor, own }) => `${vendor.join()} ${own.join()}`);
  return [...groups.values()].flatMap((group): RunFinding[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { vendor, own } = first;
    const evidence = `${vendor.length} measured with ${engineNames.vendor}, ${own.length} with ${engineNames.own}: the sums mix both`;
    // The smaller group: the usual cause is one card without its library.
    const devices = own.length <= vendor.length ? own : vendor;
    return [foundBy('engines_mixed', evidence, { devices, figures: group.map(({ metric }) => metric) })];
  });
}
