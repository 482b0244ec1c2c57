import type { LinkMeasurement } from '../../contract/cluster-network.ts';
import type { LinkRow } from '../queries/links.ts';
import { mergeReports } from './merge-reports.ts';
import type { RunNode } from './run-input.ts';

/** The fields of a seat that a measurement needs. */
type Seat = Pick<RunNode, 'node' | 'machine_uuid' | 'endpoints'> & {
  /** link layer of each RDMA device, by name */
  rdma_layers: Readonly<Record<string, string>>;
};

/** One attempt in wire format. `seats` by number; an attempt between unknown seats has no names. */
export function measurementOnWire(row: LinkRow, seats: readonly Seat[]): LinkMeasurement {
  const merged = mergeReports(row);
  const { forward_gbps: forward, reverse_gbps: reverse, rtt_us: rtt } = merged;
  return {
    link_id: row.link,
    attempt: row.attempt,
    phase: row.phase,
    round: row.round,
    source: seats[row.source]?.machine_uuid ?? '',
    target: seats[row.target]?.machine_uuid ?? '',
    source_node: row.source,
    target_node: row.target,
    transport: row.transport,
    connection_type: connectionType(row, merged.rails, seats),
    dialer: row.dialer === null ? null : (seats[row.dialer]?.machine_uuid ?? null),
    source_if: merged.source_if,
    target_if: merged.target_if,
    mtu: merged.mtu,
    streams: row.streams,
    forward_gbps: forward,
    reverse_gbps: reverse,
    bandwidth_gbps: forward === null || reverse === null ? null : Math.min(forward, reverse),
    expected_forward_gbps: row.expected_forward_gbps,
    expected_reverse_gbps: row.expected_reverse_gbps,
    expected_forward_rates: row.expected_forward_rates,
    expected_reverse_rates: row.expected_reverse_rates,
    bytes: merged.bytes,
    window_ms: merged.window_ms,
    latency_us: rtt === null ? null : rtt.p50 / 2,
    rtt_us: rtt,
    jitter_us: rtt === null ? null : Math.max(0, rtt.p99 - rtt.p50),
    min_rtt_us: merged.min_rtt_us,
    retransmits: merged.retransmits,
    segments: merged.segments,
    concurrent_links: row.concurrent_links,
    rails: merged.rails,
    start_skew_ms: merged.start_skew_ms,
    started_at: merged.started_at,
    status: merged.status,
    stage: merged.stage,
    code: merged.code,
    verdict: row.verdict ?? 'unmeasured',
  };
}

/** The connection type if both ends agree, else `unknown`; null for a link that was never measured. */
function connectionType(row: LinkRow, rails: LinkMeasurement['rails'], seats: readonly Seat[]): string | null {
  if (row.dialer === null) return null;
  const types = new Set(
    row.transport === 'tcp'
      ? [endpointType(row, seats, row.source), endpointType(row, seats, row.target)]
      : rdmaTypes(row, rails, seats),
  );
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : 'unknown';
}

function endpointType({ dialer, dialer_address, address }: LinkRow, seats: readonly Seat[], node: number): string {
  const own = dialer === node ? dialer_address : address;
  return seats[node]?.endpoints.find((endpoint) => endpoint.address === own)?.connection_type ?? 'unknown';
}

/** RDMA over Ethernet is RoCE. Considers the devices that the link used, or all devices of a node if unknown. */
function rdmaTypes(row: LinkRow, rails: LinkMeasurement['rails'], seats: readonly Seat[]): string[] {
  const used = new Set(rails.flatMap(({ device }) => device.split(' – ')));
  return [row.source, row.target].flatMap((node) => {
    const devices = Object.entries(seats[node]?.rdma_layers ?? {});
    const shown = devices.filter(([device]) => used.has(device));
    const layers = (shown.length > 0 ? shown : devices).map(([, layer]) => layer);
    return layers.length === 0 ? ['unknown'] : layers.map((layer) => typeOfLayer[layer] ?? 'unknown');
  });
}

const typeOfLayer: Record<string, string> = { InfiniBand: 'infiniband', Ethernet: 'roce' };
