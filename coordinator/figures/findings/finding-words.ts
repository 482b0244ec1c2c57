import type { RunFinding, RunVerdict } from '../../contract/judgement.ts';
import { metricNames } from '../metric-names.ts';

/** How places are called: nodes by name on pages of their owner, by number on shared ones. */
export interface PlaceNames {
  nodeName: (node: number) => string;
  /** devices of a node; null if unknown */
  devicesOf: (node: number | null) => { count: number; areProcessors: boolean } | null;
  /** nodes of the job; 1 for a task or a single machine */
  nodeCount: number;
}

/** One machine: its devices need no name of a node. */
export const ofOneNode = (count: number, areProcessors: boolean): PlaceNames => ({
  nodeName: () => 'the machine',
  devicesOf: () => ({ count, areProcessors }),
  nodeCount: 1,
});

/** "GPU 3", from 0; a processor has a number only beside another one. */
export const deviceName = (
  index: number,
  { count, areProcessors }: { count: number; areProcessors: boolean },
): string => (areProcessors ? (count === 1 ? 'processor' : `processor ${index}`) : `GPU ${index}`);

/** More places than this are counted, not named. */
const NAMED_MAX = 4;

/** A copy between two GPUs, or a link between two nodes: its ends are its place. */
const COPY = /^GPU \d+ to GPU \d+$/;
const NODES = /^node (\d+) (to|with) node (\d+)$/;

/** Where a finding is: "gpu-006, GPU 7", "GPU 0 and GPU 2", "GPU 1 to GPU 0", "all 8 GPUs", "the machine", "the job". */
export function placeWords(
  { nodes, devices, link = '' }: Pick<RunFinding, 'nodes' | 'devices' | 'link'>,
  names: PlaceNames,
): string {
  const { nodeCount, nodeName, devicesOf } = names;
  const [, from, word, to] = NODES.exec(link) ?? [];
  if (word !== undefined) return `${nodeName(Number(from))} ${word} ${nodeName(Number(to))}`;
  const isOne = nodeCount === 1 || nodes.length === 0;
  const node = isOne
    ? null
    : listed(nodes.map(nodeName), nodes.length === nodeCount ? ofAll(nodeCount, 'nodes') : null, 'nodes');
  const of = devicesOf(nodes[0] ?? (nodeCount === 1 ? 0 : null)) ?? { count: Infinity, areProcessors: false };
  const kind = of.areProcessors ? 'processors' : 'GPUs';
  const all = devices.length === of.count && of.count > 1 ? ofAll(of.count, kind) : null;
  const named = devices.map((index) => deviceName(index, of));
  const device = COPY.test(link) ? link : devices.length === 0 ? null : listed(named, all, kind);
  if (node === null) return device ?? (nodeCount === 1 ? 'the machine' : 'the job');
  return device === null ? node : `${node}, ${device}`;
}

const ofAll = (count: number, kind: string): string => (count === 2 ? `both ${kind}` : `all ${count} ${kind}`);

function listed(names: readonly string[], all: string | null, kind: string): string {
  if (all !== null) return all;
  if (names.length > NAMED_MAX)
    return `${names.slice(0, NAMED_MAX - 1).join(', ')} and ${names.length - NAMED_MAX + 1} more ${kind}`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** What was found, without where: "bf16: 11.5 % below the median of the node". */
export function findingWords({ figures, link, evidence }: RunFinding): string {
  const isPlace = link === undefined || COPY.test(link) || NODES.test(link);
  const of = [metricNames(figures), isPlace || evidence.includes(link) ? '' : link].filter((part) => part !== '');
  return of.length === 0 ? evidence : `${of.join(', ')}: ${evidence}`;
}

/** The finding as one sentence: where and what. What to do stands in `action`. */
export const findingSentence = (finding: RunFinding, names: PlaceNames): string =>
  `${placeWords(finding, names)}: ${findingWords(finding).replace(/\.$/, '')}.`;

/** What a reader sees first: "3 problems: 1 bad, 2 to check", "No problem found in 64 GPUs and 28 links". */
export function verdictLine(verdict: RunVerdict, areProcessors = false): string {
  const { grade, bad, check, devices } = verdict;
  // Without a device nobody has tried yet, or the results of an earlier release wait for their judgement.
  if (grade === 'not_measured') return devices.of === 0 ? 'No figures yet' : 'Nothing was measured';
  if (grade === 'good') return `No problem found in ${subjects(verdict, areProcessors)}`;
  const total = bad + check;
  const parts = [bad > 0 ? `${bad} bad` : '', check > 0 ? `${check} to check` : ''].filter((part) => part !== '');
  return `${total} ${total === 1 ? 'problem' : 'problems'}: ${parts.join(', ')}`;
}

/** Which parts need a person: "2 of 8 nodes and 1 of 64 GPUs need action". */
export function subjectLine(verdict: RunVerdict, areProcessors = false): string {
  const { grade, nodes, devices, links } = verdict;
  if (grade === 'good' || grade === 'not_measured') return verdictLine(verdict, areProcessors);
  const kind = areProcessors ? 'processor' : 'GPU';
  const part = ({ of, bad, check }: RunVerdict['nodes'], name: string): string[] =>
    bad + check === 0 ? [] : [`${number(bad + check)} of ${counted(of, name)}`];
  const parts = [...(nodes.of > 1 ? part(nodes, 'node') : []), ...part(devices, kind), ...part(links, 'link')];
  if (parts.length === 0) return nodes.of > 1 ? 'The job needs a look' : 'The machine needs a look';
  const isOne = parts.length === 1 && [nodes, devices, links].some(({ bad, check }) => bad + check === 1);
  return `${joined(parts)} ${isOne && parts[0]?.startsWith('1 ') === true ? 'needs' : 'need'} action`;
}

function subjects({ devices, links }: RunVerdict, areProcessors: boolean): string {
  const parts = [
    devices.of > 0 ? counted(devices.of, areProcessors ? 'processor' : 'GPU') : '',
    links.of > 0 ? counted(links.of, 'link') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'what was measured' : joined(parts);
}

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
const number = (value: number): string => value.toLocaleString('en-US');
const counted = (value: number, name: string): string => `${number(value)} ${name}${value === 1 ? '' : 's'}`;
