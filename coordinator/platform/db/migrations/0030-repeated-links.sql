-- A slot that an end missed is planned once more in its row. Its reports have another id then, so that a late one of the slot
-- before is not taken for one of it. Additions only; a default that is a constant rewrites no row.
alter table network_link add column repeated boolean not null default false;
