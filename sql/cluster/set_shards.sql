-- Lets Citus keep a table: `kind` is distributed (by `column`, and with `colocate_with` like another table) or reference.
-- Does nothing where it does so already. Writers of the table wait until its rows are copied. Rules stay in force. Raises
-- PX400 where the database has no Citus or a rule cannot hold on shards, PX404, PX409 where the table has what triggers
-- make, or is kept otherwise; and what Citus raises.
create or replace function portolan.set_shards(relation regclass, change jsonb) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner of a table may distribute it
as $$
declare
  v_kind constant text := change ->> 'kind';
  v_column constant text := change ->> 'column';
  v_before jsonb;
  v_what text;
  v_like constant regclass := to_regclass(change ->> 'colocate_with');
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  v_before := portolan.shards_of(relation);
  if v_kind is null or v_kind not in ('distributed', 'reference') then
    raise exception 'kind must be distributed or reference' using errcode = 'PX400';
  elsif v_kind = 'distributed' and v_column is null then
    raise exception 'a distributed table needs a column to distribute it by' using errcode = 'PX400';
  elsif v_kind = 'reference' and (v_column is not null or change ->> 'colocate_with' is not null) then
    raise exception 'a reference table is not distributed by a column' using errcode = 'PX400';
  elsif not portolan.has_citus() then
    raise exception 'the database does not have the extension Citus' using errcode = 'PX400';
  elsif v_before ->> 'kind' = v_kind and v_before ->> 'column' is not distinct from v_column then
    return;
  elsif v_before ->> 'kind' <> 'local' then
    raise exception '% is already of the kind %: first move it back to the coordinator by undistribute_table',
      relation, v_before ->> 'kind' using errcode = 'PX409';
  end if;
  if v_kind = 'distributed' then
    perform portolan.check_distribution(relation, v_column);
    if change ->> 'colocate_with' is not null and portolan.shard_kind(v_like) is distinct from 'distributed' then
      raise exception '% is not a distributed table', change ->> 'colocate_with' using errcode = 'PX400';
    end if;
  end if;
  v_what := portolan.triggered_by(relation);
  if v_what is not null then
    raise exception '% has %, which needs triggers, and triggers do not run on shards: switch it off first', relation, v_what
      using errcode = 'PX409';
  end if;

  perform set_config('portolan.following', 'on', true); -- these statements need no check of the rules
  if portolan.wanted_protection(relation) <> '' then
    -- before it is distributed: Citus copies policies to new shards, but makes none on shards of the same transaction
    perform portolan.drop_protection(relation);
    perform portolan.protect_shards(
      relation,
      array(select m.id from portolan.rule_map m where m.relation = set_shards.relation),
      (select s.opened from portolan.row_security s where s.relation = set_shards.relation));
  end if;
  if v_kind = 'reference' then
    perform create_reference_table(relation);
  else
    perform create_distributed_table(relation, v_column, colocate_with => coalesce(v_like::text, 'default'));
  end if;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  update portolan.row_security s
  set wanted = portolan.wanted_protection(s.relation), made = portolan.made_protection(s.relation)
  where s.relation = set_shards.relation;
  insert into portolan.audit (event, details)
  values ('shards.changed', jsonb_build_object('by', portolan.actor(), 'relation', relation::text, 'before', v_before,
    'after', portolan.shards_of(relation)));
end
$$;
