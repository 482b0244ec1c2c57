-- How many counts of the source, one for each item, the tokens of a model are the sum of; 0: it has none. Null: derived before
-- this was kept, or by an earlier version that still runs.
alter table token_pulse add column volume_counts int4;
