-- Writes an authentication level as a grant to anonymous. Raises PX409 where the table has no room for another grant.
create or replace function portolan.apply_authentication(relation regclass, level text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_following text := current_setting('portolan.following', true);
  v_schema text;
  v_anonymous text := portolan.role_name('anonymous');
begin
  perform set_config('portolan.following', 'on', true); -- the caller refreshes the history's rights
  perform portolan.hold_definitions(array[relation::oid]);
  if level = 'Read/write' then
    perform portolan.run_grant(format('revoke select on table %s from %I', relation, v_anonymous));
    perform set_config('portolan.following', coalesce(v_following, ''), true);
    return;
  end if;
  select n.nspname into v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  perform portolan.run_grant(format('grant usage on schema %I to %I', v_schema, v_anonymous));
  perform portolan.grant_on(relation, format('grant select on table %s to %I', relation, v_anonymous));
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
