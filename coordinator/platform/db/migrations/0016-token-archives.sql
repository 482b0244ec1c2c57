-- breaking
-- Archive files of token prices beside those of GPU prices. They have no tier, and a file may have a name.

alter table archive_file alter column tier drop not null;
alter table archive_file drop constraint archive_file_tier_check;
alter table archive_file drop constraint archive_file_type_check;
alter table archive_file drop constraint archive_file_interval_check;
alter table archive_file drop constraint archive_file_tier_interval_type_period_key;

alter table archive_file add constraint archive_file_kind check (
  case when type in ('rental', 'retail') then tier is not null and tier in (2, 3) and interval in ('day', 'month', 'quarter', 'year')
    when type in ('book', 'pulse') then tier is null and interval in ('day', 'month')
    else false end
);
alter table archive_file add constraint archive_file_part unique nulls not distinct (tier, interval, type, period);

-- What people call it; null: what it holds. It passes to the file that replaces it.
alter table archive_file add column name text check (char_length(name) between 1 and 60);
create unique index archive_file_name on archive_file (name) where name is not null;
