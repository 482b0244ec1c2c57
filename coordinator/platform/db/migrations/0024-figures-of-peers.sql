-- All figures of a node that those of others are shown beside, each under a name that says all that decides whether two of them
-- are of one kind: the metric, and the engine, arithmetic, tier or path if the metric has several. What a verdict rests on stays in
-- the columns. Null: not read from the node's result yet, which the coordinator does by itself.
alter table scoreboard_entry add column figures jsonb
  constraint scoreboard_entry_figures check (jsonb_typeof(figures) = 'object');

create index scoreboard_entry_unread on scoreboard_entry (measured_at) where figures is null;
