import type { Judgement, RunFinding } from '../../contract/judgement.ts';
import { rules } from '../../figures/findings/rules.ts';
import {
  countFindings,
  countPlaces,
  gradeOf,
  sortFindings,
  sumCounts,
  sumFigures,
  worstByPlace,
} from '../../figures/findings/verdict.ts';
import type { LinkCell } from '../queries/link-cells.ts';
import type { NodesView } from './job-view.ts';

/** The judgement of a job by what its nodes have delivered by now. */
export function judgementOf(view: Omit<NodesView, 'viewer'>, links: readonly LinkCell[]): Judgement {
  const { job, nodes, figures } = view;
  const judged = nodes.flatMap(({ id }) => figures.get(id)?.judged ?? []);
  const findings = sortFindings(
    merged([
      ...nodes.flatMap((node) => ofNode(view, node)),
      ...job.warnings
        .filter((text) => !nodes.some(({ warnings }) => warnings.some((of) => text.endsWith(of))))
        .map((text): RunFinding => ({ ...told(text), nodes: [] })),
      ...links.flatMap(linkFinding),
    ]),
  );
  const figureCounts = sumFigures(judged);
  const bad = links.filter(({ verdict }) => verdict !== null && verdict !== 'good').length;
  const linkCounts = sumCounts([...judged.map(({ verdict }) => verdict.links), { of: links.length, bad, check: 0 }]);
  const deviceKeys = worstByPlace(findings, ({ nodes: of, devices }) =>
    of.flatMap((node) => devices.map((device) => `${node} ${device}`)),
  );
  return {
    verdict: {
      grade: gradeOf(findings, figureCounts, linkCounts),
      ...countFindings(findings),
      nodes: countPlaces(
        nodes.length,
        worstByPlace(findings, ({ nodes: of }) => of.map(String)),
      ),
      devices: countPlaces(
        judged.reduce((sum, { verdict }) => sum + verdict.devices.of, 0),
        deviceKeys,
      ),
      links: linkCounts,
      figures: figureCounts,
    },
    findings,
    not_measured: mergedPlaces(
      nodes.flatMap(({ id, node }) =>
        (figures.get(id)?.judged.not_measured ?? []).map((one) => ({ ...one, nodes: [node] })),
      ),
    ),
  };
}

const told = (text: string): Omit<RunFinding, 'nodes'> => {
  const rule = text.endsWith('was stopped.') ? 'run_stopped' : 'run_warning';
  return { rule, grade: 'check', devices: [], figures: [], evidence: text, action: rules[rule].act };
};

function ofNode({ figures }: Omit<NodesView, 'viewer'>, node: NodesView['nodes'][number]): RunFinding[] {
  const at = { nodes: [node.node], devices: [], figures: [] };
  const hasFallen = node.state === 'failed' || node.state === 'lost';
  const rule = node.state === 'lost' ? 'node_lost' : 'node_failed';
  const evidence = node.state === 'lost' ? 'stopped responding' : (node.failed_message ?? 'failed');
  return [
    ...(hasFallen ? [{ ...at, rule, grade: 'bad' as const, evidence, action: rules[rule].act }] : []),
    ...(figures.get(node.id)?.judged.findings ?? []).map((finding) => ({ ...finding, nodes: [node.node] })),
    ...node.warnings.map((text) => ({ ...told(text), nodes: [node.node] })),
  ];
}

const linkFinding = ({ source, target, verdict }: LinkCell): RunFinding[] =>
  verdict === null || verdict === 'good'
    ? []
    : [
        {
          rule: 'network_link',
          grade: 'bad',
          nodes: [source, target],
          devices: [],
          figures: [],
          evidence: `the link is ${verdict.replaceAll('_', ' ')}`,
          action: rules.network_link.act,
        },
      ];

/** Findings of several nodes with the same words are one. */
const merged = (findings: readonly RunFinding[]): RunFinding[] =>
  findings.some(({ nodes }) => nodes.length === 1) ? mergedPlaces(findings) : [...findings];

function mergedPlaces<T extends { nodes: number[] }>(all: readonly T[]): T[] {
  const groups = Map.groupBy(all, ({ nodes, ...rest }) => `${nodes.length === 1} ${JSON.stringify(rest)}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return first.nodes.length === 1
      ? [{ ...first, nodes: [...new Set(same.flatMap(({ nodes }) => nodes))] }]
      : same;
  });
}
