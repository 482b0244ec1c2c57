import { cutWords } from '../cut-words.ts';
import type { Grade, RunFinding, Unmeasured } from '../../contract/judgement.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { metricName } from '../metric-names.ts';
import { factsOf } from '../signal-facts.ts';
import { figureGrade, STOPPED } from './figure-grade.ts';
import { foundBy, MOST_EVIDENCE, ruleOfVerdict, type RuleId, withoutJudge } from './rules.ts';

type Device = Pick<QuickMarkTestResult, 'vendor' | 'verdicts' | 'unavailable' | 'details'>;

/** One figure of one device as it is judged. */
interface GradedFigure {
  device: number;
  metric: string;
  grade: Grade;
  rule: RuleId;
  evidence: string;
}

/** Every judged figure of the devices, in their order, and those without a verdict that a device has not. */
export const gradedFigures = (devices: readonly Device[]): GradedFigure[] =>
  devices.flatMap((device, index) => {
    const { verdicts = {}, unavailable, vendor, details } = device;
    const unjudged = Object.keys(unavailable).filter((metric) => verdicts[metric] === undefined);
    return [
      ...Object.entries(verdicts),
      ...unjudged.map((metric) => [metric, { verdict: 'absent', rule: '' }] as const),
    ].map(([metric, ruled]): GradedFigure => {
      if (ruled.verdict !== 'absent')
        return {
          device: index,
          metric,
          grade: figureGrade(ruled, vendor),
          ...ruleOfVerdict(ruled.rule, 'figure'),
        };
      const because = unavailable[metric] ?? withoutJudge(ruled.rule).replace(/^absence: /, '');
      const hasFailed = factsOf(details[metric])['absence'] === 'failed' && !because.startsWith(STOPPED);
      return {
        device: index,
        metric,
        grade: figureGrade(ruled, vendor, hasFailed),
        rule: 'figure_missing',
        evidence: because || 'no reason was given',
      };
    });
  });

/**
 * Devices without a single figure of which nothing else is said. A stopped run lacks them because it was stopped.
 * @param told numbers of the devices of which another finding says why
 */
export function emptyDevices(figures: readonly GradedFigure[], told: ReadonlySet<number>): RunFinding[] {
  const empty = [...Map.groupBy(figures, ({ device }) => device)].flatMap(([device, own]) => {
    const because = own[0]?.evidence ?? '';
    const isMissing = own.every(({ rule, grade }) => rule === 'figure_missing' && grade === 'not_measured');
    return !isMissing || told.has(device) || because.startsWith(STOPPED) ? [] : [{ device, because }];
  });
  return [...Map.groupBy(empty, ({ because }) => because)].map(([because, group]) =>
    foundBy('nothing_measured', `nothing could be measured: ${because}`, {
      devices: group.map(({ device }) => device),
    }),
  );
}

/**
 * Rules whose evidence has different numbers for each figure and device, but one cause. For the others the evidence tells the
 * cause.
 */
const ONE_CAUSE: ReadonlySet<RuleId> = new Set([
  'spread',
  'core_share',
  'spec_band',
  'peers',
  'baseline',
  'all_at_once',
  'lanes',
]);

/** More devices than this that trip one rule are one finding: what they share is at fault, not each of them. */
const APART_MAX = 4;

/**
 * The problems among the figures: one finding for each device and rule, with the worst figure's evidence. Devices with the same
 * evidence, and more than four that trip the same rule, are one finding.
 */
export function figureFindings(figures: readonly GradedFigure[]): RunFinding[] {
  const doubtful = figures.filter(({ grade }) => grade === 'bad' || grade === 'check');
  return [...Map.groupBy(doubtful, ({ rule }) => rule).values()].flatMap((ofRule) => {
    const isOne = new Set(ofRule.map(({ device }) => device)).size > APART_MAX;
    const causes = Map.groupBy(ofRule, ({ rule, device, evidence }) => {
      if (!ONE_CAUSE.has(rule)) return evidence;
      return isOne ? '' : String(device);
    });
    return mergedAlike([...causes.values()].flatMap((group) => findingOf(group)));
  });
}

function findingOf(group: readonly GradedFigure[]): RunFinding[] {
  const worst = group.find(({ grade }) => grade === 'bad') ?? group[0];
  if (worst === undefined) return [];
  const devices = [...new Set(group.map(({ device }) => device))].toSorted((a, b) => a - b);
  const metrics = [...new Set([worst, ...group].map(({ metric }) => metric))];
  const isSame = group.every(({ evidence }) => evidence === worst.evidence);
  const of = [devices.length > 1 ? [`GPU ${worst.device}`] : [], metrics.length > 1 ? [metricName(worst.metric)] : []];
  const evidence = isSame ? worst.evidence : `${of.flat().join(', ')} ${worst.evidence}; the others likewise`;
  const grade = worst.grade === 'bad' ? 'bad' : 'check';
  return [foundBy(worst.rule, evidence.trim(), { grade, devices, figures: metrics.slice(0, 100) })];
}

/** Findings that differ in their devices alone are one. */
const mergedAlike = (findings: readonly RunFinding[]): RunFinding[] =>
  [
    ...Map.groupBy(findings, ({ grade, figures, evidence }) => JSON.stringify([grade, figures, evidence])).values(),
  ].flatMap((alike) => {
    const [first] = alike;
    return first === undefined ? [] : [{ ...first, devices: alike.flatMap(({ devices }) => devices) }];
  });

/** Figures without a value, by reason, and the signals of health that could not be read. */
export function unmeasuredOf(figures: readonly GradedFigure[]): Unmeasured[] {
  const missing = figures.filter(({ grade }) => grade === 'not_measured');
  return [...Map.groupBy(missing, ({ evidence }) => evidence)].map(([because, group]) => ({
    nodes: [],
    devices: [...new Set(group.map(({ device }) => device))],
    figures: [...new Set(group.map(({ metric }) => metric))].slice(0, 100),
    signals: [],
    because: cutWords(because, MOST_EVIDENCE),
  }));
}
