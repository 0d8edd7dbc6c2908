-- Lets Citus keep a table: `kind` is distributed (by `column`, and with `colocate_with` like another table) or reference.
-- Does nothing where it does so already. Writers of the table wait until its rows are copied. Rules stay in force, and events
-- come from the nodes then. Raises PX400 where the database has no Citus, a rule cannot hold on shards or the nodes do not
-- report changes, PX404, PX409 where the table has what only triggers make, or is kept otherwise; and what Citus raises.
create or replace function portolan.set_shards(relation regclass, change jsonb) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner of a table may distribute it
as $$
declare
  v_before jsonb;
  v_tables jsonb;
begin
  perform portolan.one_at_a_time();
  v_before := portolan.check_shards(relation, change);
  if v_before ->> 'kind' = change ->> 'kind' then
    return;
  end if;
  v_tables := portolan.before_shards(relation, change);
  if change ->> 'kind' = 'reference' then
    perform create_reference_table(relation);
  else
    perform create_distributed_table(relation, change ->> 'column',
      colocate_with => coalesce(to_regclass(change ->> 'colocate_with')::text, 'default'));
  end if;
  perform portolan.after_shards(v_tables);
  perform portolan.note_shards((v_tables #>> '{0,name}')::regclass, v_before);
end
$$;
