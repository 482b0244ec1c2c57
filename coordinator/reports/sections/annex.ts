import type { Device } from '../facts/devices.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import { glossarySection } from './glossary.ts';
import { healthRulesSection } from './health-rules.ts';

export const ANNEX = 'Annex: method, checks, words and rules';

/** Pages of the annex: of a node with everything recorded 5, words and rules 6. */
const ANNEX_PAGES = 14;

/** The annex begins on a page of its own, and has room however long the sections before it are. */
export function annexHeading(paper: Paper): void {
  paper.extend(ANNEX_PAGES);
  if (!heading(paper, ANNEX, 60)) return;
  paragraph(
    paper,
    'How the figures before were taken and judged. The names of records are those of the results, so that a reader can find them there.',
  );
}

/** Words, rules of health, and texts with characters that cannot be printed. */
export function annexSections(paper: Paper, devices: readonly Device[]): void {
  if (devices.length > 0) {
    glossarySection(paper);
    healthRulesSection(paper);
  }
  const replaced = paper.glyphs.replaced();
  if (replaced.length === 0 || !heading(paper, 'Characters outside the font', 50)) return;
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
