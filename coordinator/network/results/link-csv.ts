import type { LinkMeasurement } from '../../contract/cluster-network.ts';
import { csvRecord } from '../../platform/csv.ts';

type Value = string | number | null;

/** Column titles and values. The titles are the JSON's field names, units included. */
const columns: [title: string, of: (link: LinkMeasurement, name: NameOf) => Value][] = [
  ['link_id', (link) => link.link_id],
  ['attempt', (link) => link.attempt],
  ['phase', (link) => link.phase],
  ['round', (link) => link.round],
  ['source_node', (link) => link.source_node],
  ['source_name', (link, name) => name(link.source_node)],
  ['source', (link) => link.source],
  ['target_node', (link) => link.target_node],
  ['target_name', (link, name) => name(link.target_node)],
  ['target', (link) => link.target],
  ['status', (link) => link.status],
  ['verdict', (link) => link.verdict],
  ['stage', (link) => link.stage],
  ['code', (link) => link.code],
  ['transport', (link) => link.transport],
  ['connection_type', (link) => link.connection_type],
  ['forward_gbps', (link) => link.forward_gbps],
  ['reverse_gbps', (link) => link.reverse_gbps],
  ['bandwidth_gbps', (link) => link.bandwidth_gbps],
  ['expected_forward_gbps', (link) => link.expected_forward_gbps],
  ['expected_reverse_gbps', (link) => link.expected_reverse_gbps],
  ['latency_us', (link) => link.latency_us],
  ['rtt_min_us', (link) => link.rtt_us?.min ?? null],
  ['rtt_p50_us', (link) => link.rtt_us?.p50 ?? null],
  ['rtt_p99_us', (link) => link.rtt_us?.p99 ?? null],
  ['rtt_max_us', (link) => link.rtt_us?.max ?? null],
  ['rtt_samples', (link) => link.rtt_us?.samples ?? null],
  ['jitter_us', (link) => link.jitter_us],
  ['min_rtt_us', (link) => link.min_rtt_us],
  ['retransmits', (link) => link.retransmits],
  ['segments', (link) => link.segments],
  ['bytes', (link) => link.bytes],
  ['window_ms', (link) => link.window_ms],
  ['streams', (link) => link.streams],
  ['mtu', (link) => link.mtu],
  ['source_if', (link) => link.source_if],
  ['target_if', (link) => link.target_if],
  ['dialer', (link) => link.dialer],
  ['concurrent_links', (link) => link.concurrent_links],
  ['start_skew_ms', (link) => link.start_skew_ms],
  ['started_at', (link) => link.started_at],
  ['rails', (link) => (link.rails.length === 0 ? null : JSON.stringify(link.rails))],
  // last, so that the columns before them keep their places
  ['expected_forward_rates', (link) => link.expected_forward_rates],
  ['expected_reverse_rates', (link) => link.expected_reverse_rates],
];

/** Name of a node by its number. */
type NameOf = (node: number) => string;

export const linkCsvHeader = (): string => record(columns.map(([title]) => title));

/** One attempt as a record of RFC 4180, including the line end; null is an empty field. */
export const linkCsvRecord = (link: LinkMeasurement, name: NameOf): string =>
  record(columns.map(([, of]) => of(link, name)));

/** Host and interface names come from the machines: the writer escapes what a spreadsheet would execute. */
const record = (values: readonly Value[]): string => `${csvRecord(values)}\r\n`;
