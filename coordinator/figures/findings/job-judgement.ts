import {
  type Judgement,
  MOST_FINDINGS_OF_JOB,
  type Remarks,
  type RunFinding,
  type RunVerdict,
  type Unmeasured,
} from '../../contract/judgement.ts';
import {
  countFindings,
  countNode,
  countPlaces,
  devicesOf,
  gradeOf,
  sortFindings,
  sumCounts,
  sumFigures,
  worstByPlace,
} from './verdict.ts';

/** What is known of the job beside its nodes. */
interface OfTheJob {
  /** findings about the job, its links and its comparison, with the numbers of their nodes */
  findings: readonly RunFinding[];
  /** links between its nodes; none if they were not measured */
  links?: RunVerdict['links'];
  /** worth knowing, with nothing to do */
  remarks?: Remarks;
}

/**
 * The judgement of a job: those of its nodes, where the same finding on several nodes is one, and what concerns the job as a whole.
 * @param nodes judged as tasks, in the order of their numbers
 */
export function jobJudgement(
  nodes: readonly Judgement[],
  { findings: further, links: between, remarks = [] }: OfTheJob,
): Judgement {
  const own = nodes.flatMap(({ findings }, node) => findings.map((finding) => ({ ...finding, nodes: [node] })));
  const findings = sortFindings([...merged(own, keyOf), ...further]);
  const figures = sumFigures(nodes);
  const links = sumCounts([...nodes.map(({ verdict }) => verdict.links), ...(between === undefined ? [] : [between])]);
  const ofNode = worstByPlace(findings, (finding) => finding.nodes.map(String));
  const ofDevice = worstByPlace(findings, (finding) => devicesOf(finding, nodes.length));
  const devices = nodes.reduce((sum, { verdict }) => sum + verdict.devices.of, 0);
  const unmeasured = nodes.flatMap(({ not_measured }, node) => not_measured.map((one) => ({ ...one, nodes: [node] })));
  return {
    verdict: {
      grade: gradeOf(findings, figures, links),
      ...countFindings(findings),
      nodes: countPlaces(nodes.length, ofNode),
      devices: countPlaces(devices, ofDevice),
      links,
      figures,
    },
    findings: findings.slice(0, MOST_FINDINGS_OF_JOB),
    not_measured: merged(unmeasured, keyOfUnmeasured).slice(0, MOST_FINDINGS_OF_JOB),
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/** Entries with the same key are one, of the nodes of all. */
function merged<T extends { nodes: number[] }>(all: readonly T[], key: (one: T) => string): T[] {
  return [...Map.groupBy(all, key).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, nodes: [...new Set(group.flatMap(({ nodes }) => nodes))] }];
  });
}

const keyOf = ({ rule, grade, devices, link, figures, evidence }: RunFinding): string =>
  JSON.stringify([rule, grade, devices, link, figures, evidence]);
const keyOfUnmeasured = ({ devices, figures, signals, because }: Unmeasured): string =>
  JSON.stringify([devices, figures, signals, because]);

/** The judgement of a node that was measured more than once: what is found in several is said once, and the figures are all. */
export function sameNode(runs: readonly Judgement[]): Judgement {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) return first ?? jobJudgement([], { findings: [] });
  const { verdict, findings, not_measured } = jobJudgement(runs, { findings: [] });
  const onNode = <T extends { nodes: number[] }>(one: T): T => ({ ...one, nodes: [] });
  const own = findings.map(onNode);
  return {
    verdict: {
      ...verdict,
      ...countNode(own, first.verdict.devices.of),
      links: first.verdict.links,
    },
    findings: own,
    not_measured: not_measured.map(onNode),
  };
}
