import type { agentProtocolVersion } from '../../coordinator/contract/agent-protocol.ts';
import type { Installation } from '../run/host.ts';

/** Schema of the runner's events; a runner that speaks another is refused before anything is measured. */
export const NATIVE_PROTOCOL = 'gpumark.native/1';

/** Only the type is imported: `--version` must not load the contract's schemas. tsc keeps the two equal. */
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
