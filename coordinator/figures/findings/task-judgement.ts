import { MOST_FINDINGS_OF_NODE, type Judgement, type RunFinding } from '../../contract/judgement.ts';
import { placesAtStart } from '../device-name.ts';
import { nodeJudgement } from './node-judgement.ts';
import { foundBy } from './rules.ts';
import { withFindings } from './verdict.ts';

/** One node of a job as it is stored: its results' judgement, and what became of it. */
export interface StoredTask {
  state: 'registered' | 'running' | 'uploading' | 'completed' | 'failed' | 'aborted' | 'lost';
  failed_message: string | null;
  /** sentences of its agent, or of the coordinator, about the run as a whole */
  warnings: readonly string[];
  /** of its results, without warnings and state; null before there are any */
  judgement: Judgement | null;
  /** of its devices in their order */
  device_ids: readonly string[];
}

/** The judgement of a node with what its agent warned of and how it ended. */
export function taskJudgement({ state, failed_message, warnings, judgement, device_ids }: StoredTask): Judgement {
  const measured = judgement ?? nodeJudgement(null);
  const isSaid = (text: string): boolean => failed_message?.includes(text) === true;
  const told = warnings
    .filter((text) => !isSaid(text))
    .map((text) => warningFinding(text, device_ids))
    .filter((warning) => !isReason(warning, measured));
  const ended = stateFinding(state, failed_message, measured);
  return withFindings(measured, [...(ended === null ? [] : [ended]), ...told], MOST_FINDINGS_OF_NODE);
}

/** Why a device has no figure at all is told with that. */
const isReason = ({ devices, evidence }: RunFinding, { findings }: Judgement): boolean =>
  devices.length > 0 &&
  findings.some(
    (finding) =>
      finding.rule === 'nothing_measured' &&
      devices.every((device) => finding.devices.includes(device)) &&
      finding.evidence.includes(evidence),
  );

function stateFinding(state: StoredTask['state'], message: string | null, { findings }: Judgement): RunFinding | null {
  const because = message === null || message === '' ? 'no reason was given' : message;
  if (state === 'lost')
    return foundBy('node_lost', 'stopped answering and did not come back in time', { grade: 'bad' });
  if (state === 'aborted') return foundBy('run_stopped', `stopped: ${because}`);
  // A critical finding of health says itself why the node has failed.
  if (state !== 'failed' || findings.some(({ health }) => health?.severity === 'critical')) return null;
  return foundBy('node_failed', `failed: ${because}`, { grade: 'bad' });
}

/** A sentence about the run; one that begins with the names of devices, or as earlier agents with an id, is about those. */
export function warningFinding(text: string, ids: readonly string[]): RunFinding {
  const { devices, length } = devicesAtStart(text, ids);
  const about = length === 0 ? text : text.slice(length).replace(/^:? /, '');
  return foundBy('run_warning', about || 'a warning without words', { devices });
}

function devicesAtStart(text: string, ids: readonly string[]): { devices: number[]; length: number } {
  const old = ids.findLastIndex((id) => text.startsWith(`${id}: `) || text.startsWith(`${id} `));
  if (old !== -1) return { devices: [old], length: ids[old]?.length ?? 0 };
  const devices = placesAtStart(text, ids.length);
  const known = devices?.places.every((place) => place < ids.length) === true ? devices : null;
  return known === null ? { devices: [], length: 0 } : { devices: known.places, length: known.length };
}
