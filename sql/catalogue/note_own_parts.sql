-- Records the parts of schema portolan, for changed_own_parts. Called at the end of each migration. migrated: numbered
-- migrations were applied, so that all present parts are right. coded: code was applied, and its parts are recorded again;
-- other parts that somebody removed or changed are listed until they are repaired. Where the text of parts has changed, as
-- under another PostgreSQL, all are recorded again. Where all are as recorded then, their stamp is kept, which spares the next
-- comparisons.
create or replace function portolan.note_own_parts(migrated boolean, coded boolean) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  with present as materialized (
    select p.*, migrated or coded and p.part ~ '^(function|view|trigger) ' as is_meant
    from portolan.own_parts() p
  ), gone as (
    delete from portolan.noted_own_parts n
    where migrated and not exists (select from present p where p.part = n.part)
  )
  insert into portolan.noted_own_parts as n (part, state, statement, writer)
  select p.part, p.state, p.statement, p.writer
  from present p left join portolan.noted_own_parts o using (part)
  where p.is_meant and (p.state, p.statement, p.writer) is distinct from (o.state, o.statement, o.writer)
    or o.writer <> p.writer
  on conflict (part) do update
    set state = excluded.state, statement = excluded.statement, writer = excluded.writer;
  delete from portolan.settings s
  where s.name = 'own_parts' and s.value <> to_jsonb(portolan.own_parts_stamp());
  insert into portolan.settings (name, value)
  select 'own_parts', to_jsonb(portolan.own_parts_stamp())
  where not exists (select from portolan.settings s where s.name = 'own_parts')
    and not exists (select from portolan.changed_own_parts())
$$;
