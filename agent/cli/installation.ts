import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { agentProtocolVersion } from '../../coordinator/contract/agent-protocol.ts';
import type { Installation } from '../run/host.ts';

/** Defined by the build of the single executable; absent in a source tree. */
declare const GPUMARK_BUILD: { version: string; revision: string; runner_sha256: string } | undefined;

/** @param programDirectory folder of main.ts; undefined inside the single executable */
export function findInstallation(programDirectory: string | undefined): Installation {
  if (typeof GPUMARK_BUILD !== 'undefined') {
    const { version, revision, runner_sha256 } = GPUMARK_BUILD;
    return {
      version,
      revision,
      source_root: null,
      embedded_runner: () => ({ sha256: runner_sha256, bytes: runnerAsset() }),
    };
  }
  const root = join(programDirectory ?? '.', '..');
  return {
    get version() {
      return versionOf(root);
    },
    get revision() {
      return revisionOf(root);
    },
    source_root: root,
    embedded_runner: null,
  };
}

function runnerAsset(): Uint8Array {
  return new Uint8Array(process.getBuiltinModule('node:sea').getRawAsset('gpumark-runner'));
}

function versionOf(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = manifest !== null && typeof manifest === 'object' && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}

function revisionOf(root: string): string {
  try {
    const answer = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2_000,
    });
    return answer.trim();
  } catch {
    return 'unknown';
  }
}

/** Schema of the runner's events; a runner with another schema is refused before anything is measured. */
const NATIVE_PROTOCOL = 'gpumark.native/1';

/**
 * Only the type is imported, so that `--version` does not load the contract's schemas; tsc checks that the two are
 * equal.
 */
const AGENT_PROTOCOL: typeof agentProtocolVersion = 1;

/** One line per fact, so that a support mail can quote it. */
export function versionText(installation: Installation): string {
  return [
    `gpumark-agent ${installation.version}`,
    `revision ${installation.revision}`,
    `native protocol ${NATIVE_PROTOCOL}`,
    `agent protocol ${AGENT_PROTOCOL}`,
  ].join('\n');
}
