import { pairNumber } from '../../../../coordinator/network/schedule/pair-number.ts';
import { judgeRun } from '../../../../coordinator/network/verdict/judge-run.ts';
import type { JudgedAttempt, JudgedLink, RunToJudge } from '../../../../coordinator/network/verdict/run-verdict.ts';

export const usual = { min: 30, p50: 40, p99: 60, max: 90, samples: 1000 };

export const ok = (
  attempt: number,
  forward = 100,
  reverse = 100,
  more: Partial<JudgedAttempt> = {},
): JudgedAttempt => ({
  attempt,
  status: 'ok',
  forward_gbps: forward,
  reverse_gbps: reverse,
  rtt_us: usual,
  min_rtt_us: 30,
  retransmits: 0,
  segments: 10_000,
  ...more,
});
export const failed = (attempt: number, status: JudgedAttempt['status'] = 'timeout'): JudgedAttempt => ({
  attempt,
  status,
  forward_gbps: null,
  reverse_gbps: null,
  rtt_us: null,
  min_rtt_us: null,
  retransmits: null,
  segments: null,
});

/** All pairs of `nodes`, as `low-high`. */
export const everyPair = (nodes: number): string[] =>
  Array.from({ length: nodes }, (_, low) => low).flatMap((low) =>
    Array.from({ length: nodes - low - 1 }, (_, step) => `${low}-${low + 1 + step}`),
  );

/** K_n at 100 Gb/s without noise, but for the given pairs, as `low-high`. */
export function exactRun(
  nodes: number,
  attempts: Record<string, JudgedAttempt[]>,
  more: Partial<RunToJudge> = {},
): RunToJudge {
  const links: JudgedLink[] = [];
  for (let source = 0; source < nodes; source += 1)
    for (let target = source + 1; target < nodes; target += 1)
      links.push({
        link: pairNumber(source, target, nodes),
        source,
        target,
        round: null,
        attempts: attempts[`${source}-${target}`] ?? [ok(1)],
      });
  const seats = Array.from({ length: nodes }, (_, node) => ({ node, speed_gbps: 100, state: 'measured' as const }));
  return { nodes: seats, links, transport: 'tcp', ...more };
}

/** The verdict on the link 0-1 of eight nodes. */
export const verdictOf = (...attempts: JudgedAttempt[]) =>
  judgeRun(exactRun(8, { '0-1': attempts })).links.get(0)?.verdict;
