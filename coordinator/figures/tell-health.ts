import type { HealthFinding } from '../contract/health.ts';
import { deviceNames, devicesWords } from './device-name.ts';
import { actionWords } from './health/rule.ts';
import { cutWords } from './cut-words.ts';

/** A finding as one sentence for terminal, API, page and report: where, what, and what to do. */
export function healthSentence(place: string, { evidence, action, rule, severity, of }: HealthFinding): string {
  const where = of === undefined || evidence.includes(of) || of === place ? place : `${place} (${of})`;
  const rest = ` (health rule ${rule}, ${severity}). ${DO} ${actionWords[action]}.`;
  return `${cutWords(`${where}: ${evidence}`, MOST - rest.length)}${rest}`;
}

/** Most characters of a warning, less some for a prefix. What to do is never cut. */
const MOST = 480;

/** What stands before the action in a sentence. */
export const DO = 'Do:';

/** The findings of a stored or uploaded result, in the order of its devices, then of the machine, with their places. */
export function placedFindings(results: {
  test_results: readonly { vendor: string; health?: readonly HealthFinding[] | undefined }[];
  node_health?: readonly HealthFinding[] | undefined;
}): { place: string; finding: HealthFinding }[] {
  const names = deviceNames(results.test_results);
  const all = [
    ...results.test_results.flatMap(({ health = [] }, at) =>
      health.map((finding) => ({ place: names[at] ?? 'device', finding })),
    ),
    ...(results.node_health ?? []).map((finding) => ({ place: 'machine', finding })),
  ];
  const rank = { critical: 0, warning: 1, info: 2 } as const;
  return all.toSorted((a, b) => rank[a.finding.severity] - rank[b.finding.severity]);
}

type Judged = Parameters<typeof placedFindings>[0];

/** Warnings of a run for what is more than a remark; equal findings of several devices stand in one sentence. */
export function healthWarnings(results: Judged): string[] {
  const grave = placedFindings(results).filter(({ finding }) => finding.severity !== 'info');
  const names = deviceNames(results.test_results);
  const groups = Map.groupBy(grave, ({ finding }) => `${finding.rule} ${finding.evidence} ${finding.of ?? ''}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const places = new Set(group.map(({ place }) => place));
    const at = names.flatMap((name, index) => (places.has(name) ? [index] : []));
    return [healthSentence(at.length === 0 ? first.place : devicesWords(at, results.test_results), first.finding)];
  });
}

/** Why a task with these results has failed although everything was measured; null if nothing is critical. */
export function criticalHealth(results: Judged): string | null {
  const grave = placedFindings(results).filter(({ finding }) => finding.severity === 'critical');
  const [first] = grave;
  if (first === undefined) return null;
  const more =
    grave.length === 1 ? '' : ` ${grave.length - 1} more critical ${grave.length === 2 ? 'finding' : 'findings'}.`;
  return `${healthSentence(first.place, first.finding)}${more}`;
}
