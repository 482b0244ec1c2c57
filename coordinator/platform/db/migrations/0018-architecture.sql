-- What a chip is built as: Hopper, CDNA 3. Rows that were imported before have none until it is said.
alter table product add column architecture text check (architecture <> '');
