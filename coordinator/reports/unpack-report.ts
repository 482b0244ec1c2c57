import type { JobReport, Report, ReportNode, ReportResult, TaskReport } from './report-model.ts';

/** A report whose large parts can still be JSON text: the rendering thread parses them, so that no request waits for it. */
export type PackedReport =
  | (Omit<TaskReport, 'node'> & { node: PackedNode })
  | (Omit<JobReport, 'nodes' | 'results'> & { nodes: PackedNode[]; results: PackedResult[] });

type PackedNode = Omit<ReportNode, 'inventory' | 'results'> & {
  inventory: ReportNode['inventory'] | string;
  results: PackedResult[];
};
type PackedResult = Omit<ReportResult, 'results'> & { results: ReportResult['results'] | string };

export function unpackReport(report: PackedReport): Report {
  return report.kind === 'task'
    ? { ...report, node: unpackNode(report.node) }
    : { ...report, nodes: report.nodes.map(unpackNode), results: report.results.map(unpackResult) };
}

const unpackNode = (node: PackedNode): ReportNode => ({
  ...node,
  inventory:
    typeof node.inventory === 'string' ? (JSON.parse(node.inventory) as ReportNode['inventory']) : node.inventory,
  results: node.results.map(unpackResult),
});

const unpackResult = (result: PackedResult): ReportResult => ({
  ...result,
  results:
    typeof result.results === 'string' ? (JSON.parse(result.results) as ReportResult['results']) : result.results,
});
