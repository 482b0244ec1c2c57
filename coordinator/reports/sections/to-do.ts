import type { Judgement, RunFinding } from '../../contract/judgement.ts';
import { findingWords, placeWords, type PlaceNames } from '../../figures/findings/finding-words.ts';
import { heading } from '../layout/blocks.ts';
import { gradeInk, gradeWords, mark } from '../layout/mark.ts';
import type { Paper, TextStyle } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { ink, sheet, size } from '../layout/theme.ts';

export const ALL_FINDINGS = 'All findings';

const columns = { number: 18, mark: 14, place: 112, found: 176, act: 170 } as const;
const GAP = 3.5;
const style: TextStyle = { size: size.small };
/** Lines of one finding on the first page; one that is longer stands in full in the list of all. */
const MOST_LINES = 4;

interface ToDo {
  lines: { place: string[]; found: string[]; act: string[] };
  grade: RunFinding['grade'];
  height: number;
  isWhole: boolean;
}

/** What to do, laid out for the first page: where, what was found, and the action. */
export function planToDo(paper: Paper, findings: readonly RunFinding[], names: PlaceNames): ToDo[] {
  return findings.map((finding) => {
    const lines = {
      place: paper.lines(placeWords(finding, names), columns.place - 8, {
        ...style,
        font: 'bold',
        maxLines: MOST_LINES,
      }),
      found: paper.lines(findingWords(finding), columns.found - 8, { ...style, maxLines: MOST_LINES }),
      act: paper.lines(plainAction(finding.action), columns.act, { ...style, maxLines: MOST_LINES }),
    };
    const all = [lines.place, lines.found, lines.act];
    return {
      lines,
      grade: finding.grade,
      height: Math.max(...all.map((part) => part.length)) * paper.lineHeight(style) + GAP,
      isWhole: all.every((part) => part.at(-1)?.endsWith('…') !== true),
    };
  });
}

/** Draws the first of them that fit into `height`, and returns how many. */
export function drawToDo(paper: Paper, plan: readonly ToDo[], height: number): number {
  const end = paper.y + height;
  let drawn = 0;
  for (const { lines, grade, height: needed } of plan) {
    if (paper.y + needed > end) break;
    drawn += 1;
    const x = sheet.left;
    paper.write(String(drawn), x, paper.y, columns.number - 5, { ...style, color: ink.muted, align: 'right' });
    mark(paper, grade, x + columns.number, paper.y + 1, 8);
    const place = x + columns.number + columns.mark;
    paper.draw(lines.place, place, paper.y, columns.place, { ...style, font: 'bold' });
    paper.draw(lines.found, place + columns.place, paper.y, columns.found, style);
    paper.draw(lines.act, place + columns.place + columns.found, paper.y, columns.act, style);
    paper.y += needed;
  }
  return drawn;
}

/** Commands stand between backticks in the texts, and between quotation marks on paper. */
const plainAction = (action: string): string => action.replaceAll(/`([^`]*)`/g, '“$1”') || 'Look into it.';

/** Every finding in full, worst first, with its rule and, of a rule of health, its document. */
export function findingsSection(paper: Paper, { findings }: Judgement, names: PlaceNames): void {
  if (findings.length === 0 || !heading(paper, ALL_FINDINGS, 50)) return;
  table(
    paper,
    [
      { title: '', share: 5, align: 'right' },
      { title: 'Verdict', share: 9 },
      { title: 'Where', share: 20, maxLines: 40 },
      { title: 'Found', share: 36, maxLines: 40 },
      { title: 'Do', share: 32, maxLines: 30 },
      { title: 'Rule', share: 18, maxLines: 8 },
    ],
    findings.map((finding, index): Cell[] => [
      String(index + 1),
      { text: gradeWords[finding.grade], color: gradeInk[finding.grade], font: 'bold' },
      placeWords(finding, names),
      findingWords(finding),
      plainAction(finding.action),
      finding.health === undefined
        ? finding.rule.replaceAll('_', ' ')
        : `${finding.rule}, ${finding.health.severity}: ${finding.health.source}`,
    ]),
  );
}
