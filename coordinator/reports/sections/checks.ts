import type { Grade, Judgement } from '../../contract/judgement.ts';
import { BY_COORDINATOR } from '../../figures/findings/rules.ts';
import { gradeOfFigure, type Device } from '../facts/devices.ts';
import { infoOf } from '../facts/metrics.ts';
import { countWords } from '../facts/summary-rows.ts';
import { heading, note } from '../layout/blocks.ts';
import { gradeInk, gradeWords } from '../layout/mark.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';

/** Per device: its verdict and the findings about it, each with its figures. Left out if no figure was judged. */
export function checksSection(paper: Paper, devices: readonly Device[], { findings }: Judgement): void {
  const isJudged = devices.some(({ verdicts }) => Object.keys(verdicts ?? {}).length > 0);
  if (!isJudged || !heading(paper, 'Checks of the figures', 70)) return;
  table(
    paper,
    [
      { title: 'Device', share: 12 },
      { title: 'Verdict', share: 13 },
      { title: 'Figures', share: 34, maxLines: 20 },
      { title: 'Found', share: 56, maxLines: 20 },
    ],
    devices.flatMap((device, index): Cell[][] => {
      const own = findings.filter((finding) => finding.devices.includes(index));
      const grades = Object.keys(device.verdicts ?? {}).map((metric) => gradeOfFigure(device, metric));
      const worst: Grade = own.some(({ grade }) => grade === 'bad')
        ? 'bad'
        : own.length > 0
          ? 'check'
          : grades.includes('good')
            ? 'good'
            : 'not_measured';
      return [
        [
          { text: device.name, font: 'bold' },
          { text: gradeWords[worst], font: 'bold', color: gradeInk[worst] },
          { text: `figures: ${countWords(grades)}`, color: ink.muted, span: 2 },
        ],
        ...own.map((finding): Cell[] => [
          '',
          { text: gradeWords[finding.grade], color: gradeInk[finding.grade] },
          finding.figures.map((metric) => infoOf(metric).label).join(', ') || (finding.link ?? '–'),
          finding.evidence,
        ]),
      ];
    }),
  );
  const [first] = devices;
  if (first) note(paper, rulesOf(first));
}

/** The rules that the figures of a device passed. */
function rulesOf(device: Device): string {
  const good = Object.entries(device.verdicts ?? {}).filter(
    ([metric, { rule }]) => gradeOfFigure(device, metric) === 'good' && rule !== '',
  );
  if (good.length === 0) return `No figure of ${device.name} passed a rule.`;
  const byRule = [...Map.groupBy(good, ([, { rule }]) => rule.replace(BY_COORDINATOR, ''))];
  const rules = byRule.map(
    ([rule, figures]) => `${figures.map(([metric]) => infoOf(metric).short).join(', ')}: ${rule}`,
  );
  return `Rules that the figures of ${device.name} passed. ${rules.join('; ')}.`;
}
