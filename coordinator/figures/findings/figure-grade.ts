import type { RuledVerdict } from '../../contract/figure-verdict.ts';
import type { Grade } from '../../contract/judgement.ts';
import { type RuleId, ruleOfVerdict } from './rules.ts';

/**
 * Other programs normally run on a processor and share its cores: noise by itself is a remark on its figure, not a problem. On a
 * card, which nothing else uses, it is one.
 */
const NOISE: ReadonlySet<RuleId> = new Set(['spread', 'core_share', 'issue_rate']);

/** How the reason of everything begins that is missing because somebody stopped the run: no problem of the device. */
export const STOPPED = 'the run was stopped';

/**
 * The grade of a figure by its verdict, the same for the judgement and for the mark beside the figure.
 * @param hasFailed measuring failed, which is a problem; hardware that lacks the feature is none
 */
export function figureGrade({ verdict, rule }: RuledVerdict, vendor: string, hasFailed = false): Grade {
  if (verdict === 'absent') return hasFailed ? 'check' : 'not_measured';
  if (verdict === 'bad') return 'bad';
  if (verdict === 'ok') return 'good';
  return vendor === 'cpu' && NOISE.has(ruleOfVerdict(rule, 'figure').rule) ? 'good' : 'check';
}
