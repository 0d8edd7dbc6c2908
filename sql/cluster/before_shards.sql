-- Prepares a table, and those that Citus changes with it because of foreign keys, for their shards. Removes triggers of events,
-- which do not run there, and replaces policies of rules that ask for the request. Returns the tables for after_shards, this
-- one first. Raises PX400, PX409.
create or replace function portolan.before_shards(relation regclass, change jsonb) returns jsonb
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tables jsonb := '[]';
  v_table regclass;
  v_what text;
  v_events boolean;
begin
  perform set_config('portolan.following', 'on', true); -- until after_shards: what is done needs no check of the rules
  for v_table in
    with recursive connected (id) as (
      select before_shards.relation::oid
      union
      select case f.conrelid when c.id then f.confrelid else f.conrelid end
      from connected c join pg_constraint f on f.contype = 'f' and c.id in (f.conrelid, f.confrelid)
      where change ->> 'kind' = 'reference'
    )
    select c.id::regclass from connected c
    where c.id = before_shards.relation or portolan.shard_kind(c.id) is null
    order by c.id <> before_shards.relation, c.id::regclass::text
  loop
    v_what := portolan.triggered_by(v_table);
    if v_what is not null then
      raise exception '%has %, which needs triggers, and triggers do not run on shards: switch it off first',
        v_table || case when v_table = relation then ' ' else format(' is connected with %s by foreign keys, and ', relation) end,
        v_what
        using errcode = 'PX409';
    end if;
    v_events := portolan.events_of(v_table);
    if v_events then
      perform portolan.check_followed(v_table);
      perform portolan.shards_in_turn();
      perform portolan.remove_events(v_table);
    end if;
    if portolan.wanted_protection(v_table) <> '' then
      -- before it is distributed: Citus copies policies to new shards, but makes none on shards of the same transaction
      perform portolan.drop_protection(v_table);
      perform portolan.protect_shards(
        v_table,
        array(select m.id from portolan.rule_map m where m.relation = v_table),
        (select s.opened from portolan.row_security s where s.relation = v_table));
    end if;
    v_tables := v_tables || (
      select jsonb_build_object('oid', c.oid, 'name', format('%I.%I', n.nspname, c.relname), 'events', v_events)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = v_table);
  end loop;
  return v_tables;
end
$$;
