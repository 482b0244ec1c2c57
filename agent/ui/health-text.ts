import type { HealthFinding, HealthSeverity, NotReadSignals } from '../../coordinator/contract/health.ts';
import { actionWords } from '../../coordinator/figures/health/rule.ts';
import type { RunSummary } from '../run/run-summary.ts';
import type { Paint, Style } from './paint.ts';
import { padEnd, printable, wrapText } from './text-width.ts';

const LABEL = padEnd('health:', 24);
const INDENT = ' '.repeat(26);
const MARKS: Record<HealthSeverity, { sign: string; style: Style }> = {
  info: { sign: 'i', style: 'dim' },
  warning: { sign: '!', style: 'yellow' },
  critical: { sign: '✗', style: 'red' },
};

/** What the health rules found, each with its action, and how many signals could not be judged. Empty if there is nothing. */
export function healthLines(
  findings: readonly HealthFinding[],
  notRead: readonly NotReadSignals[],
  paint: Paint,
): string[] {
  const told = findings.map(({ severity, evidence, action, rule, of }) => {
    const { sign, style } = MARKS[severity];
    const where = of === undefined || evidence.includes(of) ? '' : `${of}: `;
    return { mark: paint(style, sign), words: `${where}${evidence} [${rule}]; do: ${actionWords[action]}` };
  });
  const unread = notRead.reduce((sum, { signals }) => sum + signals.length, 0);
  const rest = unread === 0 ? [] : [{ mark: '-', words: `${unread} signals not read: --json has the reasons` }];
  return [...told, ...rest].flatMap(({ mark, words }, index) =>
    wrapText(printable(words), 80 - 28).map((line, at) => {
      const head = at > 0 ? INDENT : `  ${index === 0 ? LABEL : padEnd('', 24)}`;
      return `${head}${at === 0 ? `${mark} ` : '  '}${paint('dim', line)}`;
    }),
  );
}

/** The machine beside its devices. */
export function machineBlocks({ node_health, node_health_not_read }: RunSummary, paint: Paint): string[][] {
  const lines = healthLines(node_health, node_health_not_read, paint);
  return lines.length === 0 ? [] : [[paint('bold', 'Machine'), ...lines]];
}

/** The sign of the gravest finding; null if none is more than a remark. */
export function healthMark(findings: readonly HealthFinding[]): 'bad' | 'warn' | null {
  if (findings.some(({ severity }) => severity === 'critical')) return 'bad';
  return findings.some(({ severity }) => severity === 'warning') ? 'warn' : null;
}
