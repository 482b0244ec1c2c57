-- How many votes `own_level` is the median of, kept when a vote is judged. Null: there is no level, or the vote was judged before
-- this was kept or by an earlier version that still runs. An addition only: no partition is rewritten, and nothing is computed again.
alter table provider_price add column own_days int2;
