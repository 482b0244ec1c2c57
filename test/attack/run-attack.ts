import type { Attack, Finding } from './attack.ts';
import type { Innocent, RunningInnocent } from './innocent.ts';
import type { Site } from './site.ts';

/** Milliseconds that the innocent tenant's slowest hundredth may take while an attack runs. */
const MOST_P99_MS = 1000;

export interface AttackReport {
  name: string;
  title: string;
  findings: Finding[];
  innocent: Innocent;
  /** what the innocent tenant's p99 may be */
  mostP99Ms: number;
  seconds: number;
  /** What broke, as sentences; empty if everything held. The delay is left out: it is judged by `make attack` alone. */
  broken: string[];
}

/** With the innocent tenant of the site at work. */
export async function runAttack(
  name: string,
  attack: Attack,
  site: Site,
  running: RunningInnocent,
): Promise<AttackReport> {
  const began = performance.now();
  const findings = await attack.run(site);
  const innocent = await running.met();
  const broken = [
    ...findings.filter(({ held }) => !held).map(({ tried, answer }) => `${tried}: ${answer}`),
    ...(findings.length === 0 ? ['nothing was tried'] : []),
    ...(innocent.errors === 0
      ? []
      : [`${innocent.errors} errors of the innocent tenant: ${innocent.first_errors.join('; ')}`]),
  ];
  const { title, mostP99Ms = MOST_P99_MS } = attack;
  return { name, title, findings, innocent, mostP99Ms, seconds: (performance.now() - began) / 1000, broken };
}
