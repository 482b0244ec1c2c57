import { durationText } from './figure-text.ts';
import type { NetworkEvent } from '../run/network-event.ts';

const PHASES: Readonly<Record<NetworkEvent['state'], string>> = {
  joining: 'waiting for the other nodes',
  preflight: 'checking which nodes reach each other',
  ring: 'checking the transport in a ring',
  rounds: 'measuring links',
  retests: 'measuring doubtful links again, each alone',
  collective: 'all nodes together',
  ended: 'ended',
};

/** `cluster_network: measuring links, round 8 of 63, 64 nodes, about 2 min left`. */
export function networkText(event: NetworkEvent): string {
  const { state, nodes_joined: joined, nodes_expected: expected, nodes_lost: lost } = event;
  const round =
    state === 'rounds' && event.rounds !== null
      ? [`round ${Math.min(event.rounds_done + 1, event.rounds)} of ${event.rounds}`]
      : [];
  const nodes = state === 'joining' ? `${joined} of ${expected} nodes` : `${joined} ${joined === 1 ? 'node' : 'nodes'}`;
  const missing = lost === 0 ? [] : [`${lost} lost`];
  const left =
    event.ends_in_seconds === null || state === 'ended' ? [] : [`about ${durationText(event.ends_in_seconds)} left`];
  return `cluster_network: ${[PHASES[state], ...round, nodes, ...missing, ...left].join(', ')}`;
}
