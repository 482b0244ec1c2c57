import { sortFindings, type Finding } from '../facts/finding.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

/** Every finding in full if the first page could not hold them, and texts with characters that cannot be printed. */
export function annexSection(paper: Paper, findings: Finding[]): void {
  const sorted = sortFindings(findings);
  if (sorted.length > 0 && heading(paper, 'Annex: all exceptions and warnings', 50)) {
    table(
      paper,
      [
        { title: '', share: 6, align: 'right' },
        { title: 'Level', share: 10 },
        { title: 'What', share: 84, maxLines: 5 },
      ],
      sorted.map(({ level, text }, index) => [String(index + 1), level, text]),
    );
  }
  const replaced = paper.glyphs.replaced();
  if (replaced.length === 0 || !heading(paper, 'Annex: characters outside the font', 50)) return;
  note(
    paper,
    'These texts hold characters that this report cannot print; \uFFFD stands for each. Their Unicode code points, in order:',
  );
  table(
    paper,
    [
      { title: 'As printed', share: 40 },
      { title: 'Code points replaced', share: 60, maxLines: 6 },
    ],
    replaced.map(({ shown, codePoints }) => [shown, codePoints.join(' ')]),
  );
}
