import type { FigureVerdict } from '../../contract/figure-verdict.ts';
import type { Device } from '../facts/devices.ts';
import { infoOf } from '../facts/metrics.ts';
import { printCount } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';

const words: Record<FigureVerdict, string> = { ok: '✓ ok', warn: '! doubtful', bad: '✗ failed', absent: '– absent' };
const worstFirst: FigureVerdict[] = ['bad', 'warn', 'ok', 'absent'];

/** Per device: its verdict, and every failed or doubtful figure with its rule. Left out if the agent judged no figure. */
export function checksSection(paper: Paper, devices: Device[]): void {
  const judged = devices.filter(({ verdicts }) => Object.keys(verdicts ?? {}).length > 0);
  if (judged.length === 0 || !heading(paper, 'Checks of the figures', 70)) return;
  table(
    paper,
    [
      { title: 'Device', share: 12 },
      { title: 'Verdict', share: 13 },
      { title: 'Figure', share: 27 },
      { title: 'Rule', share: 60, maxLines: 4 },
    ],
    judged.flatMap(rowsOf),
  );
  const [first] = judged;
  if (first) note(paper, rulesOf(first));
}

function rowsOf(device: Device): Cell[][] {
  const all = Object.entries(device.verdicts ?? {});
  const worst = worstFirst.find((one) => all.some(([, { verdict }]) => verdict === one)) ?? 'absent';
  const told = worstFirst.slice(0, 2).flatMap((one) => all.filter(([, { verdict }]) => verdict === one));
  const count = (one: FigureVerdict): number => all.filter(([, { verdict }]) => verdict === one).length;
  const summary = `${printCount(count('ok'), 'figure')} ok, ${count('absent')} absent`;
  const head: Cell[] = [
    { text: device.name, font: 'bold' },
    { text: words[worst], font: 'bold', color: inkOf(worst) },
    { text: summary, color: ink.muted, span: 2 },
  ];
  const rows = told.map(([metric, { verdict, rule }]): Cell[] => [
    '',
    { text: words[verdict], color: inkOf(verdict) },
    infoOf(metric).label,
    rule,
  ]);
  return [head, ...rows];
}

const inkOf = (verdict: FigureVerdict): string =>
  verdict === 'bad' ? ink.bad : verdict === 'warn' ? ink.warn : verdict === 'ok' ? ink.good : ink.muted;

/** The rules that the figures of a device passed. */
function rulesOf(device: Device): string {
  const ok = Object.entries(device.verdicts ?? {}).filter(([, { verdict, rule }]) => verdict === 'ok' && rule !== '');
  if (ok.length === 0) return `No figure of ${device.name} passed a rule.`;
  const byRule = [...Map.groupBy(ok, ([, { rule }]) => rule)];
  const rules = byRule.map(
    ([rule, figures]) => `${figures.map(([metric]) => infoOf(metric).short).join(', ')}: ${rule}`,
  );
  return `Rules that the figures of ${device.name} passed. ${rules.join('; ')}.`;
}
