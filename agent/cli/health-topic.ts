import { ruleThemes } from '../../coordinator/figures/health-rules.ts';
import {
  actionWords,
  conditionWords,
  type HealthRule,
  plainSays,
  whoseWords,
} from '../../coordinator/figures/health/rule.ts';
import { wrapText } from '../ui/text-width.ts';

const INTRODUCTION = `Health of cards and machine, judged beside the figures by the rules below: by
this agent, and again by the coordinator.

  info      worth knowing, nothing to do
  warning   usable, but act: a warning of the run (exit 3), and the job ends
            completed_with_warnings
  critical  not usable before the action is done (exit 9): the figures are kept
            and delivered, the task of the job fails

A signal that cannot be read is never taken for healthy: --json lists it under
health_not_read with the reason. Each rule: name, signal and condition; what it
finds; the action; document and section it rests on, and how sure that is: read
(in the vendor's document or in two that agree), one page, or memory.`;

/** The whole table of health rules, 80 columns at most. */
export const healthTopic = (): string =>
  [INTRODUCTION, ...ruleThemes.map(({ theme, rules }) => `${theme}\n\n${rules.map(ruleText).join('\n')}`)].join('\n\n');

function ruleText(rule: HealthRule): string {
  const { id, severity, signal, action, source } = rule;
  const lines = [
    `${signal}: ${conditionWords(rule)}${whoseWords(rule) === '' ? '' : ` (${whoseWords(rule)})`}`,
    `${severity}: ${plainSays(rule)}; ${actionWords[action]}`,
    `${source.document}: ${source.section} (${source.confidence})`,
  ];
  return [`  ${id}`, ...lines.flatMap((line) => wrapText(line, 74).map((part) => `      ${part}`))].join('\n');
}
