import { describeRecord } from './facts/describe-record.ts';
import { jobHeadlines, taskHeadlines } from './facts/headline.ts';
import { jobFindings } from './facts/job-findings.ts';
import { hardwareOf, summarise } from './facts/node-summary.ts';
import { printDuration, printInstant, printInteger } from './facts/print-number.ts';
import { jobVerdict } from './facts/verdict.ts';
import { heading } from './layout/blocks.ts';
import type { Paper } from './layout/paper.ts';
import { table } from './layout/table.ts';
import type { JobReport, ReportResult } from './report-model.ts';
import { annexSection } from './sections/annex.ts';
import { configurationsSection } from './sections/configurations.ts';
import { expectationSection } from './sections/expectation.ts';
import { jobFootprintSection } from './sections/footprint.ts';
import { jobMethodSection } from './sections/job-method.ts';
import { networkInBrief, networkSection } from './sections/network.ts';
import { nodeSections } from './sections/node.ts';
import { distributionSection, nodesSection } from './sections/nodes.ts';
import { verdictSection } from './sections/verdict.ts';

/** The report of a whole job, first to last section. A job of one node is shown like that node, in full. */
export function drawJob(paper: Paper, report: JobReport): void {
  const { job, customer } = report;
  const nodes = report.nodes.map(summarise);
  const devices = nodes.flatMap((node) => node.devices);
  const findings = jobFindings(report, nodes);
  const [only] = report.nodes.length === 1 ? report.nodes : [];
  const board = report.scoreboard;
  const isComplete = verdictSection(paper, {
    kind: 'Job report',
    verdict: jobVerdict(report, findings),
    simulated: report.nodes.some(({ simulated }) => simulated) || devices.some(({ simulated }) => simulated),
    hardware: hardwareOf(devices),
    facts: [
      ['Customer', customer.name],
      ['Job', job.name],
      ['Nodes', `${nodes.length} registered of ${job.nodeCount} expected`],
      [
        'Devices',
        `${printInteger(devices.length)}: ${[...new Set(devices.map(({ model }) => model))].join(', ') || 'none measured'}`,
      ],
      ['State', job.state.replaceAll('_', ' ')],
      ['Created', printInstant(job.createdAt)],
      ['Started', printInstant(job.startedAt)],
      ['Ended', printInstant(job.endedAt)],
      ['Duration', printDuration(job.startedAt, job.endedAt)],
      ['Benchmarks', job.benchmarks.join(', ')],
      ['Network', networkInBrief(report.network)],
      [
        'Rank',
        board
          ? `${board.rank} of ${board.of} ${board.of === 1 ? 'customer' : 'customers'} with ${board.gpu_model}`
          : null,
      ],
      ['Tags', job.tags.join(', ') || null],
      ['Description', job.description || null],
    ],
    headlines: devices.length === 0 ? [] : only ? taskHeadlines(devices) : jobHeadlines(nodes),
    findings,
  });
  // The links between the nodes have a section of their own.
  const others = report.network
    ? report.results.filter((result) => result.benchmarkId !== 'cluster_network')
    : report.results;
  if (only) {
    nodeSections(paper, only, report.performance ?? only.performance);
    // The job's QuickMark is the node's, shown above.
    networkSection(paper, report.network);
    clusterSection(
      paper,
      others.filter(({ benchmarkId }) => benchmarkId !== 'quick_mark'),
    );
  } else {
    distributionSection(paper, nodes);
    expectationSection(paper, report.performance);
    networkSection(paper, report.network);
    jobMethodSection(paper, nodes);
    clusterSection(paper, others);
    jobFootprintSection(paper, report.nodes);
    configurationsSection(paper, nodes);
    nodesSection(paper, nodes);
  }
  annexSection(paper, isComplete ? [] : findings);
}

/** Results of the job as a whole, e.g. the links between its nodes. */
function clusterSection(paper: Paper, results: ReportResult[]): void {
  if (results.length === 0 || !heading(paper, 'Results of the job as a whole', 60)) return;
  table(
    paper,
    [
      { title: 'Benchmark', share: 20 },
      { title: 'State', share: 12 },
      { title: 'Duration', share: 12, align: 'right' },
      { title: 'Results', share: 56, maxLines: 6 },
    ],
    results.map((result) => [
      result.benchmarkName,
      result.state,
      printDuration(result.startedAt, result.endedAt) ?? '–',
      result.errorMessage ?? (describeRecord(result.results ?? {}) || '–'),
    ]),
  );
}
