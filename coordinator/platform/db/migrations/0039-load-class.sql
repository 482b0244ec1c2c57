-- Cards are faster in their first second than they stay: figures are compared within one load class only. Null: it is not
-- known, as for all that is stored so far, or the load was too brief for a class. Such a bf16 is no vote and has no rank.
alter table scoreboard_entry add column bf16_load text
  constraint scoreboard_entry_load check (bf16_load in ('burst', 'sustained', 'settled'));

-- Jobs rank among those of one load class. Those whose bf16 has none rank no more; their figures and verdicts stay.
update job set scoreboard_group = null, scoreboard_index = null where scoreboard_group like '%|bf16\_tflops by %';
