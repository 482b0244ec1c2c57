import type { LinkStatus, LinkVerdict } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { NetworkReport } from '../../contract/network-protocol.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

/** One attempt at one link as the table network_link has it. */
export interface LinkRow {
  /** number of the pair, see schedule/pair-number.ts */
  link: number;
  attempt: number;
  phase: 'preflight' | 'ring' | 'rounds' | 'retests';
  round: number | null;
  /** seats; source < target */
  source: number;
  target: number;
  /** null where the link was never driven */
  dialer: number | null;
  /** of the listener */
  address: string | null;
  port: number | null;
  dialer_address: string | null;
  transport: NetworkTransport;
  streams: number | null;
  concurrent_links: number | null;
  starts_at: Date | null;
  slot_ms: number | null;
  /** null while neither both ends nor the deadline have spoken */
  status: LinkStatus | null;
  source_report: SlotReport | null;
  target_report: SlotReport | null;
  verdict: LinkVerdict | null;
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
}
