-- The number of rates that each expected rate of a link is derived from. Null for links that were judged before, and for those that
-- a release without these columns judges. Additions only; no row is rewritten.
alter table network_link
  add column expected_forward_rates int,
  add column expected_reverse_rates int;
