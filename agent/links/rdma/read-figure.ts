import { readFileSync } from 'node:fs';
import { MESSAGE_BYTES } from './perftest-command.ts';
import { parseBandwidthTable, parseLatencyTable } from './parse-perftest.ts';
import type { BandwidthReport, LatencyReport, Refused } from './parse-perftest.ts';
import { parseBandwidthJson, parseLatencyJson } from './parse-report-json.ts';
import type { ProgramEnd } from './run-program.ts';
import type { Phase } from './talk.ts';

/** Result of one rail in one phase, or why there is none. */
export type Figure =
  | { kind: 'bandwidth'; report: BandwidthReport }
  | { kind: 'latency'; report: LatencyReport }
  | { kind: 'none'; status: 'timeout' | 'closed' | 'transport_error'; why: string };

/** The value that the ends exchange. */
export function valueOf(figure: Figure): number | null {
  if (figure.kind === 'bandwidth') return figure.report.gbps;
  return figure.kind === 'latency' ? figure.report.p50_us : null;
}

export const none = (status: 'timeout' | 'closed' | 'transport_error', why: string): Figure => ({
  kind: 'none',
  status,
  why,
});

/** The figure of a program that has ended by itself; requires exit code 0 and a plausible report. */
export function readFigure(phase: Phase, end: ProgramEnd, jsonPath: string | null): Figure {
  if (end.exit_code !== 0) return none('transport_error', failureOf(end));
  const json = jsonPath === null ? null : readJsonFile(jsonPath);
  if (phase === 'ping') {
    const report = (json === null ? null : parseLatencyJson(json)) ?? parseLatencyTable(end.stdout);
    return 'refused' in report ? misread(report) : { kind: 'latency', report };
  }
  const report =
    (json === null ? null : parseBandwidthJson(json, MESSAGE_BYTES)) ?? parseBandwidthTable(end.stdout, MESSAGE_BYTES);
  return 'refused' in report ? misread(report) : { kind: 'bandwidth', report };
}

const misread = ({ refused }: Refused): Figure => none('transport_error', refused);

/**
 * perftest prints several lines, from the cause to its consequences: the first one that names a failure is closest to
 * the cause.
 */
export function failureOf({ stderr, stdout, exit_code }: ProgramEnd): string {
  const said = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim());
  const cause = said.find((line) =>
    /couldn't|unable|fail|did not|error|invalid|not supported|unrecognized|denied|no such/i.test(line),
  );
  return cause ?? `exit code ${exit_code ?? 'none'}`;
}

function readJsonFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
