-- Links in the order of what was measured: both figures stand in the row, computed by the database whichever release writes the
-- reports, and are in it for all rows when this file is through. Additions only. The table is written anew, and nobody reads or
-- writes it meanwhile: some 30 s for a million links, in which a running cluster_network waits and may lose slots.

-- Null before there is a status. A first report then changes nothing that an index holds, and its row is written in place.
alter table network_link
  -- the smaller direction, each as its receiver counted it; null without both, which `least` alone would pass over
  add column bandwidth_gbps float8 generated always as (
    case when status is not null and (target_report -> 'received' ->> 'gbps') is not null
      and (source_report -> 'received' ->> 'gbps') is not null
    then least((target_report -> 'received' ->> 'gbps')::float8, (source_report -> 'received' ->> 'gbps')::float8) end) stored,
  -- half the round trip of the dialer, else of the source, else of the target
  add column latency_us float8 generated always as (
    case when status is not null then coalesce(
      case when dialer = target then (target_report -> 'rtt_us' ->> 'p50')::float8 end,
      (source_report -> 'rtt_us' ->> 'p50')::float8,
      (target_report -> 'rtt_us' ->> 'p50')::float8) / 2 end) stored;

create index network_link_bandwidth on network_link (job_id, item, bandwidth_gbps, link, attempt) where status is not null;
create index network_link_latency on network_link (job_id, item, latency_us, link, attempt) where status is not null;
