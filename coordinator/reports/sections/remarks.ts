import { remarksOf } from '../facts/remarks.ts';
import { heading, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNode } from '../report-model.ts';

/** Remarks of one node; left out without any. */
export function remarksSection(paper: Paper, node: ReportNode): void {
  const remarks = remarksOf(node);
  if (remarks.length === 0 || !heading(paper, 'Remarks', 30)) return;
  for (const text of remarks) paragraph(paper, text);
}
