import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { runOptions } from '../../../agent/cli/options.ts';
import type { ParsedFlags } from '../../../agent/cli/options.ts';
import { runCommand } from '../../../agent/cli/run-command.ts';
import { sessionLimits } from '../../../agent/run/session-limits.ts';
import type { SessionLimits } from '../../../agent/run/session-limits.ts';
import { runSummary } from '../../../agent/run/run-summary.ts';
import type { RunSummary } from '../../../agent/run/run-summary.ts';
import { HANG_MS, until } from '../../support/until.ts';
import { fakeRunner } from './fake-runner.ts';
import type { RunnerScript } from './fake-runner.ts';
import { testHost } from './test-host.ts';
import type { TestHost } from './test-host.ts';

export const jsonFlags: ParsedFlags = { device: 'auto', tier: 'quick', json: true };

/** The protocol's limits, shortened where trying again has to end; each try has all the time that a busy machine takes. */
export const shortLimits: SessionLimits = {
  ...sessionLimits,
  register_ms: 1_500,
  machine_active_ms: 1_500,
  delivery_ms: 1_500,
  farewell_ms: 2_000,
  call_ms: HANG_MS,
  upload_call_ms: HANG_MS,
  heartbeat_call_ms: HANG_MS,
  report_ms: 500,
  report_poll_ms: 20,
};

/** A host with a fake runner in its source tree. */
export function hostWithRunner(t: TestContext, script: RunnerScript = {}, env: Record<string, string> = {}): TestHost {
  const host = testHost(t, { env });
  fakeRunner(host.folder, script);
  return host;
}

/** Exit code of a run with this token, as main.ts would give it. */
export async function exitCodeOf(
  host: TestHost,
  token: string | null,
  extra: Partial<ParsedFlags> = {},
  limits: SessionLimits = shortLimits,
): Promise<number> {
  const flags = { ...jsonFlags, ...extra, ...(token === null ? {} : { apiKey: token }) };
  try {
    return await runCommand(host, runOptions(host, flags, undefined), limits);
  } catch (error) {
    assert.ok(error instanceof ExitError, String(error));
    return error.code;
  }
}

/** The NDJSON lines of a --json run. */
export function eventsOf(host: TestHost): Record<string, unknown>[] {
  const lines = host.out().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export const summaryOf = (host: TestHost): RunSummary => runSummary.parse(eventsOf(host).at(-1));

/** Names of the entries in the spool, or in a folder of it. */
export function spoolOf(host: TestHost, folder = ''): string[] {
  const names = readdirSync(join(host.folder, 'state', 'spool', folder));
  return names.filter((name) => name.endsWith('.json'));
}

/** Resolves once stdout holds the text. */
export async function untilOutput(host: TestHost, text: string): Promise<void> {
  await until(`the run says ${text}`, () => host.out().includes(text));
}
