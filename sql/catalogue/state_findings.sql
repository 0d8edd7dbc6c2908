-- The differences from the state in Portolan's own tables: triggers of tables whose events, history or workflow is on,
-- failed jobs, and secrets. Each finding with its repair, and whether data are lost meanwhile.
create or replace function portolan.state_findings() returns table (finding text, remedy text, is_error boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read what is noted there
as $$
  with own_triggers as materialized (
    select t.tgrelid as relation, t.tgname as name, t.tgenabled in ('O', 'A') as is_on, p.proname as function
    from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      cross join lateral (
        select p.proname from pg_proc p
        where p.oid = t.tgfoid and p.pronamespace = 'portolan'::regnamespace
        offset 0 -- else all triggers are read for each of Portolan's functions
      ) p
    where c.relnamespace <> 'portolan'::regnamespace and not t.tgisinternal
  ), without_columns as (
    select w.relation
    from portolan.workflow_tables w
    where exists (select from pg_class c where c.oid = w.relation)
      and (
        select count(*) from pg_attribute a
        where a.attrelid = w.relation and a.attname in ('portolan_status', 'portolan_workflow') and not a.attisdropped) < 2
  ), wanted as (
    select m.oid as relation, 'events' as what, 4 as triggers, format('tg_%s__emit_event', m.oid) as function
    from portolan.event_tables t cross join unnest(t.members) m (oid)
    where t.active and portolan.shard_kind(m.oid) is null
    union all
    select m.oid, 'history', 4, format('tg_%s__keep_history', m.oid)
    from portolan.versioned_tables v cross join unnest(v.members) m (oid)
    where v.active
    union all
    select w.relation, 'workflow', 1, 'tg__workflow' from portolan.workflow_tables w
    union all
    select w.relation, 'workflow', 2, format('tg_%s__audit_workflow', w.relation::oid) from portolan.workflow_tables w
  )
  -- a bulk load may disable them and forget to enable them again
  select format('triggers of Portolan on %s are switched off, so that its events, history, workflow or rules miss what is written: %s',
      o.relation::regclass, string_agg(quote_ident(o.name), ', ' order by o.name)),
    string_agg(format('alter table %s enable trigger %I;', o.relation::regclass, o.name), E'\n' order by o.name), true
  from own_triggers o
  where not o.is_on
  group by o.relation
  union all
  select format('triggers of %s are missing on %s', string_agg(distinct w.what, ', '), w.relation::regclass),
    'npx portolan migrate --repair-roles', true
  from wanted w
  where exists (select from pg_class c where c.oid = w.relation)
    and not (w.what = 'workflow' and exists (select from without_columns x where x.relation = w.relation))
    and (select count(*) from own_triggers o where (o.relation, o.function) = (w.relation, w.function)) < w.triggers
  group by w.relation
  union all
  select format('the workflow of %s has lost its columns, and with them which rows are published', x.relation::regclass),
    format(E'restore them from a backup (docs/guides/backup.md), or let all rows be published:\nselect portolan.enable_workflow(%L, wait => true);',
      x.relation::regclass), true
  from without_columns x
  union all
  select format('the history of %s is not read: %s', v.relation, v.problem), E'fix that, then:\nnpx portolan migrate --repair-roles', true
  from portolan.versioned_tables v
  where v.active and v.problem is not null
  union all
  select format('the history of %s has no index like %s, which would run the code of its owner there, with Portolan''s rights',
      v.relation, i.name), 'types and functions of a super user, or of the owner of schema portolan, do not keep it out', false
  from portolan.versioned_tables v cross join portolan.history_indexes(v.relation) i
  where v.active and i.has_code and exists (select from pg_class c where c.oid = v.relation)
  union all
  select format('the history of %s has a policy that lets nothing through in place of %I, which has a value of the type %s: '
      'to write it would run the code of its owner, with Portolan''s rights', v.relation, c.name, c.type),
    'write the policy without such a value', false
  from portolan.versioned_tables v
    join pg_class r on r.oid = v.relation and r.relrowsecurity
    cross join portolan.policies_with_code(v.relation) c
  where v.active
  union all
  select format('job %s (%s of %s) has failed: %s', j.id, j.kind, j.relation, j.error),
    format(E'fix that, then: npx portolan jobs continue %s\nor leave it: npx portolan jobs stop %1$s', j.id), false
  from portolan.failed_jobs() j
  union all
  select 'no key signs tokens, so that nobody can sign in', 'npx portolan migrate', true
  where not exists (select from portolan.signing_keys k where k.retired_at is null and k.alg = 'ES256')
  union all
  select 'the secret is gone from which the passwords of connections for SQL of accounts are made', 'npx portolan migrate', true
  where not exists (select from portolan.settings s where s.name = 'own_sql_secret')
  order by 1
$$;
