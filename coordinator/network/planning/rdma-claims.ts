import type { NetworkTransport } from '../../contract/network-config.ts';
import type { SeatRow } from '../run-row.ts';

type Rdma = Exclude<NetworkTransport, 'tcp'>;

/** RDMA transports that every node claims, the best first. */
export const candidates = (live: readonly SeatRow[]): Rdma[] =>
  (['rdma_gpu', 'rdma_host'] as const).filter((transport) => live.every((seat) => claims(seat, transport)));

/** What a node says it has; the ring check proves it. */
export function claims({ capabilities: { rdma } }: SeatRow, transport: Rdma): boolean {
  if (rdma === null || rdma.devices.length === 0) return false;
  return transport === 'rdma_host' || rdma.gpu_memory;
}
