-- Matrix products are computed by the GPU vendor's library or by our kernels, and one is no yardstick for the other.
-- Null: the agent did not say. What is stored so far was measured by agents that had our kernels only.
alter table scoreboard_entry add column bf16_engine text
  constraint scoreboard_entry_engine check (bf16_engine in ('own', 'vendor'));

update scoreboard_entry set bf16_engine = 'own' where bf16_tflops is not null;

-- Jobs rank among those of one engine.
update job set scoreboard_group = replace(scoreboard_group, '|bf16_tflops', '|bf16_tflops by own')
where scoreboard_group is not null;
