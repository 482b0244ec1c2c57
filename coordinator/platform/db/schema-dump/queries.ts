import type { Queryable } from '../client.ts';

/** All queries below read only the schema `public`, without objects that belong to an extension. */

export type RelationRow = {
  name: string;
  kind: string;
  options: string[] | null;
  partition_key: string | null;
  partition_of: string | null;
  definition: string | null;
};

export async function readRelations(sql: Queryable): Promise<RelationRow[]> {
  return sql<RelationRow[]>`
    select
      c.relname as name,
      c.relkind::text as kind,
      (select array_agg(o order by o) from unnest(c.reloptions) o) as options,
      pg_get_partkeydef(c.oid) as partition_key,
      case when c.relispartition then
        (select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = c.oid)
          || ' ' || pg_get_expr(c.relpartbound, c.oid)
      end as partition_of,
      case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"
  `;
}

export type ColumnRow = {
  name: string;
  type: string;
  not_null: boolean;
  default_value: string | null;
  identity: string;
  generated: string;
  collation: string | null;
};

export async function readColumns(sql: Queryable, relation: string): Promise<ColumnRow[]> {
  return sql<ColumnRow[]>`
    select
      a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as not_null,
      pg_get_expr(d.adbin, d.adrelid) as default_value,
      a.attidentity::text as identity,
      a.attgenerated::text as generated,
      case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end as collation
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ('public.' || quote_ident(${relation}))::regclass
      and a.attnum > 0
      and not a.attisdropped
    order by a.attnum
  `;
}

export type DefinitionRow = { name: string; definition: string };

/** Without not-null constraints: Postgres 18 lists them here, older versions only with the column. */
export async function readConstraints(sql: Queryable, relation: string): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = ('public.' || quote_ident(${relation}))::regclass
      and contype in ('p', 'u', 'c', 'f', 'x')
    order by position(contype::text in 'pucfx'), conname collate "C"
  `;
}

/** Without indexes that belong to a constraint. */
export async function readIndexes(sql: Queryable, relation: string): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ('public.' || quote_ident(${relation}))::regclass
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid)
    order by c.relname collate "C"
  `;
}

export async function readTriggers(sql: Queryable, relation: string): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select tgname as name, pg_get_triggerdef(oid) as definition
    from pg_trigger
    where tgrelid = ('public.' || quote_ident(${relation}))::regclass
      and not tgisinternal
    order by tgname collate "C"
  `;
}

export async function readFunctions(sql: Queryable): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select p.oid::regprocedure::text as name, rtrim(pg_get_functiondef(p.oid)) as definition
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.oid::regprocedure::text collate "C"
  `;
}

/** Enumerations and domains, as the statements that create them. */
export async function readTypes(sql: Queryable): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select
      t.typname as name,
      case t.typtype
        when 'e' then 'create type ' || quote_ident(t.typname) || ' as enum ('
          || (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
          || ')'
        else 'create domain ' || quote_ident(t.typname) || ' as ' || format_type(t.typbasetype, t.typtypmod)
          || case when t.typnotnull then ' not null' else '' end
          || coalesce(' default ' || t.typdefault, '')
          || coalesce((
            select string_agg(' ' || pg_get_constraintdef(k.oid), '' order by k.conname collate "C")
            from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '')
      end as definition
    from pg_type t
    where t.typnamespace = 'public'::regnamespace
      and t.typtype in ('e', 'd')
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    order by t.typname collate "C"
  `;
}

/** Sequences except those of identity columns, which are described with the column. */
export async function readSequences(sql: Queryable): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select
      c.relname as name,
      format('create sequence %I as %s start %s increment %s minvalue %s maxvalue %s cache %s%s', c.relname,
        format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
        case when s.seqcycle then ' cycle' else '' end) as definition
    from pg_sequence s
    join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'e'))
    order by c.relname collate "C"
  `;
}

export async function readExtensions(sql: Queryable): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select extname as name, 'create extension ' || quote_ident(extname) as definition
    from pg_extension
    where extname <> 'plpgsql'
    order by extname collate "C"
  `;
}
