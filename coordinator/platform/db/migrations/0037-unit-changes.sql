-- Days on which, by the operator who read it, the prices of its source changed their unit.
alter table ingest_run add column unit_changed_on date[] not null default '{}';
-- The source of the offers in a vote, of most of them if they are of several; null: judged before this was kept. An addition
-- only: no partition is rewritten, and the days are computed again by the newer rules.
alter table provider_price add column source text;
