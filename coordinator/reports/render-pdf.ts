import { nodeName } from './facts/node-names.ts';
import { drawJob } from './job-document.ts';
import { Paper } from './layout/paper.ts';
import { ink, contentWidth, sheet, size } from './layout/theme.ts';
import { resultsOf, resultSetHash } from './facts/result-hash.ts';
import type { Report, ReportNode } from './report-model.ts';
import { drawTask } from './task-document.ts';

/** Maximum pages before the annex: a 256-node job in 12, with the links between its nodes in 17; a task of 64 devices in 40. */
const PAGE_LIMIT = { job: 12, task: 40 } as const;
const NETWORK_PAGES = 5;

/** One report as PDF. Equal data gives equal bytes: no clock, no randomness. */
export async function renderPdf(report: Report): Promise<Buffer> {
  const subject = report.kind === 'job' ? report.job.name : `${report.job.name}, ${nodeName(report.node)}`;
  const paper = new Paper({
    title: `gpumark ${report.kind} report ${subjectId(report)}`,
    subject,
    createdAt: latestInstant(report),
    pageLimit: PAGE_LIMIT[report.kind] + (report.kind === 'job' && report.network ? NETWORK_PAGES : 0),
  });
  if (report.kind === 'job') drawJob(paper, report);
  else drawTask(paper, report);
  furnish(paper, report, subject);
  return bytesOf(paper);
}

const subjectId = (report: Report): string => (report.kind === 'job' ? report.job.id : report.node.taskId);

/** Header and footer of every page, drawn once the number of pages is known. */
function furnish(paper: Paper, report: Report, subject: string): void {
  paper.finish();
  const hash = resultSetHash(report);
  const foot = { size: size.tiny, color: ink.muted, maxLines: 1 };
  const simulated = report.kind === 'task' ? report.node.simulated : report.nodes.some((node) => node.simulated);
  for (let page = 0; page < paper.pages; page += 1) {
    paper.doc.switchToPage(page);
    if (page > 0) {
      const tag = simulated ? 'SIMULATED · ' : '';
      paper.write(`${tag}${subject}`, sheet.left, 34, contentWidth, {
        size: size.small,
        color: ink.muted,
        maxLines: 1,
      });
    }
    paper.rule(795);
    paper.write(`Report ${report.kind}-${subjectId(report)}`, sheet.left, 800, contentWidth / 2, foot);
    paper.write(`Page ${page + 1} of ${paper.pages}`, sheet.left, 800, contentWidth, { ...foot, align: 'right' });
    const results = hash === null ? 'Based on no result' : `Result set SHA-256 ${hash}`;
    paper.write(results, sheet.left, 810, contentWidth, foot);
    if (page === paper.pages - 1 && paper.omitted.length > 0) {
      paper.write(`Left out for length: ${paper.omitted.join('; ')}`, sheet.left, 784, contentWidth, foot);
    }
  }
}

function bytesOf(paper: Paper): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    paper.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    paper.doc.on('end', () => resolve(Buffer.concat(chunks)));
    paper.doc.on('error', reject);
    paper.doc.end();
  });
}

/** The newest instant in the data, used as the creation date. */
function latestInstant(report: Report): Date {
  const nodes: ReportNode[] = report.kind === 'task' ? [report.node] : report.nodes;
  const instants = [
    report.job.createdAt,
    report.job.startedAt,
    report.job.endedAt,
    ...nodes.flatMap((node) => [node.createdAt, node.startedAt, node.endedAt]),
    ...resultsOf(report).flatMap((result) => [result.endedAt, result.receivedAt]),
  ];
  const times = instants.flatMap((instant) => (instant === null ? [] : [Date.parse(instant)])).filter(Number.isFinite);
  return new Date(times.reduce((latest, time) => Math.max(latest, time), 0));
}
