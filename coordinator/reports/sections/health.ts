import type { HealthSeverity } from '../../contract/health.ts';
import { healthRules } from '../../figures/health-rules.ts';
import { actionWords } from '../../figures/health/rule.ts';
import type { Measurement } from '../facts/devices.ts';
import { printCount } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';

const words: Record<HealthSeverity, string> = { critical: '✗ critical', warning: '! warning', info: '– remark' };
const inks: Record<HealthSeverity, string> = { critical: ink.bad, warning: ink.warn, info: ink.muted };

/** What the health rules found, worst first, each with its action and the document of its rule; then what was not read. */
export function healthSection(paper: Paper, { health, healthNotRead }: Measurement): void {
  if (health.length + healthNotRead.length === 0 || !heading(paper, 'Health', 70)) return;
  if (health.length > 0)
    table(
      paper,
      [
        { title: 'Where', share: 14, maxLines: 2 },
        { title: 'Severity', share: 11 },
        { title: 'Finding', share: 35, maxLines: 12 },
        { title: 'Do', share: 16, maxLines: 6 },
        { title: 'Rule and its source', share: 36, maxLines: 12 },
      ],
      health.map(({ place, finding: { severity, evidence, action, rule, source, of } }) => [
        of === undefined ? place : `${place}, ${of}`,
        { text: words[severity], color: inks[severity] },
        evidence,
        actionWords[action],
        `${rule}. ${source}`,
      ]),
    );
  else note(paper, 'No rule found a fault among the signals that were read.');
  const unread = healthNotRead.map(({ places, because, signals }) => `${places}: ${signals.join(', ')} (${because})`);
  if (unread.length > 0) note(paper, `Not read, so not judged. ${unread.join('; ')}.`);
  note(
    paper,
    `Judged by a table of ${printCount(healthRules.length, 'rule')}, which the annex holds, each with its document.`,
  );
}
