import { healthRules, ruleThemes } from '../../figures/health-rules.ts';
import { actionWords, conditionWords, whoseWords } from '../../figures/health/rule.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { compact, table, type Cell } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';

const inks = { critical: ink.bad, warning: ink.warn, info: ink.muted } as const;

/** The table by which health was judged, whole: the same as on the page /health-rules and in the agent's help. */
export function healthRulesSection(paper: Paper): void {
  if (!heading(paper, 'Rules of health', 80)) return;
  note(
    paper,
    'Info: worth knowing, nothing to do. Warning: usable, but act. Critical: not usable before the action is done. Known how: read in the ' +
      "vendor's document or in two that agree; on one page; from memory: known in the field, not found in a document.",
  );
  const documents = [...new Set(healthRules.map(({ source }) => source.document))];
  note(paper, `Documents: ${documents.map((document, index) => `[${index + 1}] ${document}`).join('; ')}.`);
  table(
    paper,
    [
      { title: 'Rule', share: 23, maxLines: 6 },
      { title: 'Signal and condition', share: 36, maxLines: 9 },
      { title: 'Severity', share: 10 },
      { title: 'Do', share: 21, maxLines: 6 },
      { title: 'Section, known how', share: 34, maxLines: 9 },
    ],
    ruleThemes.flatMap(({ theme, rules }): Cell[][] => [
      [{ text: theme, font: 'bold', span: 5 }],
      ...rules.map((rule): Cell[] => {
        const whose = whoseWords(rule);
        const { document, section, confidence } = rule.source;
        return [
          rule.id,
          `${rule.signal}: ${conditionWords(rule)}${whose === '' ? '' : ` (${whose})`}`,
          { text: rule.severity, color: inks[rule.severity] },
          actionWords[rule.action],
          `[${documents.indexOf(document) + 1}] ${section} (${confidence})`,
        ];
      }),
    ]),
    compact,
  );
}
