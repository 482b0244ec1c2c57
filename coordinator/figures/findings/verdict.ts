import type { Grade, Judgement, RunFinding, RunVerdict } from '../../contract/judgement.ts';

/** Worst first: bad before check, the many before the few, then as they came. */
export const sortFindings = (findings: readonly RunFinding[]): RunFinding[] =>
  findings.toSorted((a, b) => Number(b.grade === 'bad') - Number(a.grade === 'bad') || placesOf(b) - placesOf(a));

const placesOf = ({ nodes, devices }: RunFinding): number => Math.max(1, nodes.length) * Math.max(1, devices.length);

type Counts = RunVerdict['nodes'];
type FigureCounts = RunVerdict['figures'];

/** Counts of one grade each among `of`, by the worst finding of each place. */
export function countPlaces(of: number, places: ReadonlyMap<string, 'bad' | 'check'>): Counts {
  const bad = [...places.values()].filter((grade) => grade === 'bad').length;
  return { of: Math.max(of, places.size), bad, check: places.size - bad };
}

/** The worst grade of each place that a finding is about. */
export function worstByPlace(
  findings: readonly RunFinding[],
  placesOf: (finding: RunFinding) => readonly string[],
): Map<string, 'bad' | 'check'> {
  const worst = new Map<string, 'bad' | 'check'>();
  for (const finding of findings)
    for (const place of placesOf(finding)) if (worst.get(place) !== 'bad') worst.set(place, finding.grade);
  return worst;
}

/** The nodes of a finding; in a job of one node a finding need not name it. */
export const nodesOf = ({ nodes }: RunFinding, nodeCount: number): readonly number[] =>
  nodes.length === 0 && nodeCount === 1 ? [0] : nodes;

/** The devices of a finding as places, "node device". */
export const devicesOf = (finding: RunFinding, nodeCount: number): string[] =>
  nodesOf(finding, nodeCount).flatMap((node) => finding.devices.map((device) => `${node} ${device}`));

/** Counts of one node, itself and its devices. */
export const countNode = (findings: readonly RunFinding[], devices: number): Pick<RunVerdict, 'nodes' | 'devices'> => ({
  nodes: countPlaces(
    1,
    worstByPlace(findings, () => ['node']),
  ),
  devices: countPlaces(
    devices,
    worstByPlace(findings, (finding) => finding.devices.map(String)),
  ),
});

export const countGrades = (grades: readonly Grade[]): FigureCounts => {
  const counts: FigureCounts = { good: 0, check: 0, bad: 0, not_measured: 0 };
  for (const grade of grades) counts[grade] += 1;
  return counts;
};

/** Bad if anything is, else to check; good only if something was measured. */
export function gradeOf(findings: readonly RunFinding[], { good, check, bad }: FigureCounts, links: Counts): Grade {
  if (findings.some(({ grade }) => grade === 'bad')) return 'bad';
  if (findings.length > 0) return 'check';
  return good + check + bad + links.of > 0 ? 'good' : 'not_measured';
}

export const sumCounts = (all: readonly Counts[]): Counts => ({
  of: sum(all.map(({ of }) => of)),
  bad: sum(all.map(({ bad }) => bad)),
  check: sum(all.map(({ check }) => check)),
});

export const sumFigures = (all: readonly Judgement[]): FigureCounts => ({
  good: sum(all.map(({ verdict }) => verdict.figures.good)),
  check: sum(all.map(({ verdict }) => verdict.figures.check)),
  bad: sum(all.map(({ verdict }) => verdict.figures.bad)),
  not_measured: sum(all.map(({ verdict }) => verdict.figures.not_measured)),
});

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const countFindings = (findings: readonly RunFinding[]): { bad: number; check: number } => {
  const bad = findings.filter(({ grade }) => grade === 'bad').length;
  return { bad, check: findings.length - bad };
};

/** A judgement of one node with further findings, which are counted like its own. */
export function withFindings(
  { verdict, findings: own, ...rest }: Judgement,
  further: readonly RunFinding[],
  most: number,
): Judgement {
  const added = countFindings(further);
  const findings = sortFindings([...own, ...further]);
  return {
    ...rest,
    verdict: {
      ...verdict,
      grade: gradeOf(findings, verdict.figures, verdict.links),
      bad: verdict.bad + added.bad,
      check: verdict.check + added.check,
      ...countNode(findings, verdict.devices.of),
    },
    findings: findings.slice(0, most),
  };
}
