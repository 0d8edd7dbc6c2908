-- Gives owner@ its rights on new tables in the transaction that makes them. Otherwise the gateway would do it a moment
-- later, and a GRANT in the script that made them could fail. Called by tg__follow_ddl, which holds portolan.rules.
create or replace function portolan.share_new(relations oid[]) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_following text := current_setting('portolan.following', true);
  v_statement text;
begin
  if to_regrole(quote_ident(portolan.role_name('owner'))) is null then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  for v_statement in
    select m.statement
    from portolan.missing_table_rights(array(
      select c.oid from pg_class c where c.oid = any (relations) and c.relkind in ('r', 'p') and portolan.is_shown(c.oid))) m
  loop
    execute v_statement;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
