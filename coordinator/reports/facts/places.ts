import type { Grade, Judgement } from '../../contract/judgement.ts';
import { placeWords, type PlaceNames } from '../../figures/findings/finding-words.ts';
import { devicesOf, nodesOf, worstByPlace } from '../../figures/findings/verdict.ts';
import type { Device } from './devices.ts';
import type { NodeSummary } from './node-summary.ts';

/** Names of the places in findings. A host name that two nodes have is told apart by the node's number. */
export function namesOfPlaces(nodes: readonly NodeSummary[]): PlaceNames {
  const uses = Map.groupBy(nodes, ({ name }) => name);
  return {
    nodeCount: nodes.length,
    nodeName: (index) => {
      const name = nodes[index]?.name ?? `node ${index}`;
      return (uses.get(name)?.length ?? 0) > 1 ? `${name} (node ${index})` : name;
    },
    devicesOf: (index) => {
      const { devices = [] } = nodes[index ?? 0] ?? {};
      if (devices.length === 0) return null;
      return { count: devices.length, areProcessors: devices.every(({ vendor }) => vendor === 'cpu') };
    },
  };
}

/** The grades of the places of a judgement: of each node as a whole, and of each device. */
export interface PlaceGrades {
  node: (index: number) => Grade;
  device: (node: number, index: number) => Grade;
}

/** A place without a finding is good if anything was measured on it, and else nobody knows. */
export function gradesOf({ findings }: Judgement, nodes: readonly NodeSummary[]): PlaceGrades {
  const ofNodes = worstByPlace(findings, (finding) => nodesOf(finding, nodes.length).map(String));
  const ofDevices = worstByPlace(findings, (finding) => devicesOf(finding, nodes.length));
  const measured = (devices: readonly Device[]): Grade => (devices.some(hasFigure) ? 'good' : 'not_measured');
  return {
    node: (index) => ofNodes.get(`${index}`) ?? measured(nodes[index]?.devices ?? []),
    device: (node, index) =>
      ofDevices.get(`${node} ${index}`) ?? measured(nodes[node]?.devices.slice(index, index + 1) ?? []),
  };
}

const hasFigure = ({ figures }: Device): boolean => figures.some(({ value }) => value !== null);

export interface GridRow {
  name: string;
  /** of the node as a whole: the worst of it */
  grade: Grade;
  /** of its devices, in their order */
  cells: readonly Grade[];
}

/** One row for each node: its devices, or itself where none was measured. No rows where none was at all. */
export const gridOf = (nodes: readonly NodeSummary[], grades: PlaceGrades): GridRow[] =>
  (nodes.some(({ devices }) => devices.length > 0) ? nodes : []).map(({ name, devices }, node) => ({
    name,
    grade: grades.node(node),
    cells: devices.length === 0 ? [grades.node(node)] : devices.map((_, index) => grades.device(node, index)),
  }));

/** What delivered nothing, in words: of the nodes, and of a job's links. */
export function absentWords(nodes: readonly NodeSummary[], { findings }: Judgement, names: PlaceNames): string[] {
  const silent = nodes.flatMap(({ devices }, index) => (devices.length === 0 ? [index] : []));
  if (nodes.length === 0) return ['anything: no machine joined'];
  if (silent.length === 0) return [];
  const where = placeWords({ nodes: silent, devices: [] }, names);
  const isSaid = silent.every((node) => findings.some((one) => one.nodes.includes(node) || nodes.length === 1));
  return [`anything on ${where}: ${isSaid ? 'see what to do' : 'no result yet'}`];
}
