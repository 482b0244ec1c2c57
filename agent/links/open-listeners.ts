import type { NetworkEndpoint } from '../../coordinator/contract/network-protocol.ts';
import type { Candidate } from './choose-endpoints.ts';
import type { LinkCommands } from './link-commands.ts';

/** Listens on every candidate; one that fails is left out and said. `ports` is a range, or 0 for any. */
export async function openListeners(
  commands: LinkCommands,
  candidates: readonly Candidate[],
  ports: string,
): Promise<{ endpoints: NetworkEndpoint[]; notes: string[] }> {
  const endpoints: NetworkEndpoint[] = [];
  const notes: string[] = [];
  for (const candidate of candidates) {
    const answer = await commands.listen(candidate.address, ports);
    if ('port' in answer) endpoints.push({ ...candidate, port: answer.port });
    else {
      const where = ports === '0' ? '' : `, ports ${ports}`;
      notes.push(`${candidate.address} on ${candidate.interface}${where} cannot be listened on: ${answer.code}`);
    }
  }
  return { endpoints, notes };
}
