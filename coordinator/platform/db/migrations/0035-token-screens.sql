-- Why a price does not count in the pulse; null: it counts, or is a marketplace's.
alter table token_book add column screened_by text
  check (screened_by in ('band', 'own-history', 'others', 'copied', 'same-company'));
-- It is the marketplace's price in the same reading, under the name of the lab.
alter table token_book add column is_copied boolean not null default false;
-- Null: nothing says whether its weights can be had.
alter table token_model_day alter column model_type drop not null;
-- The version of the rules by which all days were last derived; below the program's, they are derived again.
create table token_rules (rules int2 not null);
insert into token_rules values (0);
