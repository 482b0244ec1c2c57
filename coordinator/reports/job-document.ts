import type { Judgement } from '../contract/judgement.ts';
import { jobJudgement } from '../figures/findings/job-judgement.ts';
import type { JobReport, ReportResult } from './report-model.ts';
import { describeRecord } from './facts/describe-record.ts';
import { jobFacts } from './facts/facts-line.ts';
import { hardwareOf, summarise } from './facts/node-summary.ts';
import { absentWords, gradesOf, gridOf, namesOfPlaces } from './facts/places.ts';
import { printDuration } from './facts/print-number.ts';
import { resultSetHash } from './facts/result-hash.ts';
import { jobState } from './facts/run-state.ts';
import { summaryRows } from './facts/summary-rows.ts';
import { heading, paragraph } from './layout/blocks.ts';
import type { Paper } from './layout/paper.ts';
import { table } from './layout/table.ts';
import { annexHeading, annexSections } from './sections/annex.ts';
import { configurationsSection } from './sections/configurations.ts';
import { copiesByNodeSection } from './sections/copies-by-node.ts';
import { expectationSection } from './sections/expectation.ts';
import { firstPage } from './sections/first-page.ts';
import { jobFootprintSection } from './sections/footprint.ts';
import { gpusSection } from './sections/gpus.ts';
import { jobMethodSection } from './sections/job-method.ts';
import { networkSection } from './sections/network.ts';
import { nodeAnnex, nodeSections } from './sections/node.ts';
import { distributionSection, nodesSection } from './sections/nodes.ts';
import { findingsSection } from './sections/to-do.ts';
import { unmeasuredSection } from './sections/unmeasured.ts';

/** The report of a whole job, first to last section. A job of one node is shown like that node, in full. */
export function drawJob(paper: Paper, report: JobReport): void {
  const judgement = report.judgement ?? noneJudged(report);
  const nodes = report.nodes.map(summarise);
  const devices = nodes.flatMap((node) => node.devices);
  const names = namesOfPlaces(nodes);
  const grades = gradesOf(judgement, nodes);
  const isComplete = firstPage(paper, {
    kind: 'Job report',
    judgement,
    state: jobState(report),
    names,
    simulated: report.nodes.some(({ simulated }) => simulated) || devices.some(({ simulated }) => simulated),
    hardware: hardwareOf(devices),
    facts: jobFacts(report, nodes),
    rows: summaryRows({ nodes, judgement, network: report.network, performance: report.performance }),
    grid: gridOf(nodes, grades),
    absent: absentWords(nodes, judgement, names),
    hash: resultSetHash(report),
  });
  if (!isComplete) findingsSection(paper, judgement, names);
  // The links between the nodes have a section of their own.
  const others = report.network
    ? report.results.filter((result) => result.benchmarkId !== 'cluster_network')
    : report.results;
  const [only] = report.nodes.length === 1 ? report.nodes : [];
  if (only) {
    nodeSections(paper, only, {
      performance: report.performance ?? only.performance,
      between: () => {
        networkSection(paper, report.network);
        // The job's QuickMark is the node's.
        clusterSection(
          paper,
          others.filter(({ benchmarkId }) => benchmarkId !== 'quick_mark'),
        );
      },
    });
  } else {
    nodesSection(paper, nodes, { judgement, grades });
    gpusSection(paper, nodes, grades);
    copiesByNodeSection(paper, nodes);
    networkSection(paper, report.network);
    clusterSection(paper, others);
    distributionSection(paper, nodes, judgement);
    expectationSection(paper, report.performance);
    jobFootprintSection(paper, report.nodes);
    configurationsSection(paper, nodes);
  }
  const { not_measured: unmeasured, remarks = [] } = judgement;
  if (remarks.length > 0 && heading(paper, 'Remarks', 30))
    for (const { evidence, source } of remarks) paragraph(paper, `${evidence} (${source}).`);
  unmeasuredSection(paper, unmeasured, names);
  if (devices.length > 0) {
    annexHeading(paper);
    if (only) nodeAnnex(paper, only, judgement);
    else jobMethodSection(paper, nodes);
  }
  annexSections(paper, devices);
}

/** A job of which nothing is stored yet: what its nodes are. */
const noneJudged = ({ nodes }: JobReport): Judgement =>
  jobJudgement(
    nodes.map(({ judgement }) => judgement),
    { findings: [] },
  );

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
