import { type Finding, sortFindings, toneOf, type Tone } from '../facts/finding.ts';
import type { Headline } from '../facts/headline.ts';
import type { Hardware } from '../facts/node-summary.ts';
import type { Verdict } from '../facts/verdict.ts';
import { banner, heading, keyValues, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { contentWidth, ink, sheet, size } from '../layout/theme.ts';

export const SIMULATED_WORDS = 'SIMULATED: not a measurement';
export const CPU_WORDS = "This is a CPU measurement, not a GPU's";

interface FirstPage {
  /** "Node report" or "Job report" */
  kind: string;
  verdict: Verdict;
  simulated: boolean;
  hardware: Hardware;
  facts: [label: string, value: string | null][];
  headlines: Headline[];
  findings: Finding[];
}

/** Maximum findings on the first page; if there are more, the annex lists all of them. */
const FINDINGS_SHOWN = 12;

/**
 * The first page: banners, verdict in words and by a mark, facts, three numbers, exceptions. Returns whether all findings
 * are there in full; otherwise the annex must repeat them.
 */
export function verdictSection(paper: Paper, page: FirstPage): boolean {
  paper.write('gpumark', sheet.left, paper.y, 200, { font: 'bold', size: 11, color: ink.accent });
  paper.write(page.kind, sheet.left, paper.y, contentWidth, { size: 11, color: ink.muted, align: 'right' });
  paper.y += 26;
  if (page.simulated) banner(paper, SIMULATED_WORDS, ink.bad);
  if (page.hardware === 'cpu') banner(paper, CPU_WORDS, ink.accent);
  if (page.hardware === 'mixed')
    banner(paper, 'Some of these devices are CPUs; their figures are not those of a GPU', ink.accent);
  drawVerdict(paper, page.verdict);
  keyValues(paper, page.facts);
  paper.y += 6;
  drawHeadlines(paper, page.headlines);
  return drawFindings(paper, page.findings);
}

function drawVerdict(paper: Paper, { tone, words, sentence }: Verdict): void {
  const side = 30;
  const x = sheet.left + side + 14;
  paper.y += 4;
  mark(paper, tone, sheet.left, paper.y, side);
  const style = { size: size.title, font: 'bold', color: toneColor[tone], maxLines: 1 } as const;
  const height = paper.write(words, x, paper.y - 3, contentWidth - side - 14, style);
  const text = { size: 9.6, maxLines: 4 };
  const sentenceHeight = paper.write(sentence, x, paper.y - 3 + height, contentWidth - side - 14, text);
  paper.y += Math.max(side, height + sentenceHeight) + 12;
}

const spreadStyle = { size: size.small, color: ink.muted, maxLines: 4 } as const;

function drawHeadlines(paper: Paper, headlines: Headline[]): void {
  if (headlines.length === 0) return;
  const gap = 12;
  const width = (contentWidth - gap * (headlines.length - 1)) / Math.max(1, headlines.length);
  const spreads = headlines.map(({ spread }) => paper.lines(spread, width - 20, spreadStyle));
  const height = 60 + Math.max(0, ...spreads.map((lines) => lines.length)) * paper.lineHeight(spreadStyle);
  headlines.forEach((headline, index) => {
    const x = sheet.left + index * (width + gap);
    const inner = width - 20;
    paper.doc.rect(x, paper.y, width, height).lineWidth(0.7).fillAndStroke('#ffffff', ink.rule);
    paper.doc.rect(x, paper.y, width, 2.5).fill(ink.accent);
    const label = { size: size.small, font: 'bold', color: ink.muted, maxLines: 1 } as const;
    paper.write(headline.label, x + 10, paper.y + 10, inner, label);
    const number = { size: 20, font: 'bold', maxLines: 1 } as const;
    paper.write(headline.value, x + 10, paper.y + 22, inner, number);
    const numberWidth = paper.widthOf(headline.value, number);
    paper.write(headline.unit, x + 14 + numberWidth, paper.y + 33, inner - numberWidth - 4, {
      size: 9,
      color: ink.muted,
      maxLines: 1,
    });
    paper.draw(spreads[index] ?? [], x + 10, paper.y + 51, inner, spreadStyle);
  });
  paper.y += height + 4;
}

function drawFindings(paper: Paper, findings: Finding[]): boolean {
  heading(paper, 'Exceptions and warnings', 20);
  const sorted = sortFindings(findings);
  if (sorted.length === 0) note(paper, 'None.');
  let isWhole = sorted.length <= FINDINGS_SHOWN;
  for (const [index, finding] of sorted.slice(0, FINDINGS_SHOWN).entries()) {
    const lines = paper.lines(finding.text, contentWidth - 78, { maxLines: 3 });
    const height = lines.length * paper.lineHeight() + 3.5;
    // The list never leaves the first page: the annex repeats it in full.
    if (paper.y + height + 16 > sheet.bottom) {
      note(paper, `${sorted.length - index} more in the annex.`);
      return false;
    }
    isWhole &&= !(lines.at(-1)?.endsWith('…') ?? false);
    mark(paper, toneOf(finding.level), sheet.left + 1, paper.y + 1.5, 8.5);
    paper.write(finding.level, sheet.left + 18, paper.y, 56, { font: 'bold', size: size.small });
    paper.draw(lines, sheet.left + 72, paper.y, contentWidth - 72);
    paper.y += height;
  }
  if (sorted.length > FINDINGS_SHOWN) note(paper, `${sorted.length - FINDINGS_SHOWN} more in the annex.`);
  return isWhole;
}

const toneColor: Record<Tone, string> = { good: ink.good, warn: ink.warn, bad: ink.bad, open: ink.muted };

/** A mark that shows the verdict by shape alone: tick in a disc, exclamation mark in a triangle, cross in a square, ring. */
function mark(paper: Paper, tone: Tone, x: number, y: number, side: number): void {
  const { doc } = paper;
  const color = toneColor[tone];
  const at = (px: number, py: number): [number, number] => [x + px * side, y + py * side];
  const strokes: [number, number][][] = [];
  if (tone === 'good') {
    doc.circle(...at(0.5, 0.5), side / 2).fill(color);
    strokes.push([at(0.27, 0.52), at(0.44, 0.69), at(0.75, 0.33)]);
  } else if (tone === 'warn') {
    doc.polygon(at(0.5, 0.02), at(1, 0.95), at(0, 0.95)).fill(color);
    strokes.push([at(0.5, 0.36), at(0.5, 0.65)], [at(0.5, 0.77), at(0.5, 0.83)]);
  } else if (tone === 'bad') {
    doc.rect(x, y, side, side).fill(color);
    strokes.push([at(0.28, 0.28), at(0.72, 0.72)], [at(0.72, 0.28), at(0.28, 0.72)]);
  } else {
    doc
      .circle(...at(0.5, 0.5), side * 0.45)
      .lineWidth(side * 0.1)
      .stroke(color);
  }
  doc.lineWidth(side * 0.11);
  for (const [first, ...rest] of strokes) {
    if (!first) continue;
    doc.moveTo(...first);
    for (const point of rest) doc.lineTo(...point);
    doc.strokeColor('#ffffff').stroke();
  }
}
