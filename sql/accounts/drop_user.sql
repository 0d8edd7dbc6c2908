-- Removes an account and the role that was made for it. Its browsers are signed out. The caller, or the operator,
-- becomes the owner of its saved things (saved_of), which stay shared. Rules for exactly its name are removed too, so
-- that a later account of the same name begins with nothing; the audit has them. Raises PX400 for a reserved name,
-- PX404 for an unknown account, PX409 when it is the caller, a group with members, or its role owns something.
create or replace function portolan.drop_user(name text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may drop roles
as $$
declare
  v_user portolan.users;
  v_owned text;
  v_saved name;
begin
  perform portolan.lock_own('portolan.rules', 'row exclusive'); -- first: the order of locks is that of one_at_a_time
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(name);
  if v_user.name = 'anonymous' then
    raise exception 'the account name "anonymous" is reserved' using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where v_user.name = any (u.user_groups)) then
    raise exception 'the account "%" is the group of others', v_user.name using errcode = 'PX409';
  end if;
  if v_user.role in (session_user, current_setting('role')) then
    raise exception 'the account "%" cannot remove itself', v_user.name using errcode = 'PX409';
  end if;
  for v_saved in select k.relation from portolan.saved_kinds() k order by 1 loop
    execute format(
      'update portolan.%I set owner = (select u.name from portolan.users u where u.name = $2) where owner = $1', v_saved)
      using v_user.name, portolan.actor();
  end loop;
  -- before the account is removed, because the clients are told its identifier
  perform portolan.sign_out(s.hash) from portolan.sessions s where s.user_name = v_user.name;
  delete from portolan.users u where u.name = v_user.name;
  delete from portolan.rules r where r.username = v_user.name;
  delete from portolan.agents a where a.account = v_user.name;
  delete from portolan.map_sessions m where m.account = v_user.name;
  delete from portolan.lockouts l where l.user_name = v_user.name;
  if not v_user.role_made or to_regrole(quote_ident(v_user.role)) is null then
    return;
  end if;
  select pg_describe_object(d.classid, d.objid, d.objsubid) into v_owned
  from pg_shdepend d
  where d.refclassid = 'pg_authid'::regclass
    and d.refobjid = to_regrole(quote_ident(v_user.role))
    and d.deptype = 'o'
    and d.dbid in (0, (select oid from pg_database where datname = current_database()))
  limit 1;
  if v_owned is not null then
    raise exception 'the role of "%" owns %', v_user.name, v_owned using errcode = 'PX409';
  end if;
  if not pg_has_role(current_user, v_user.role, 'usage') then
    perform portolan.grant_role(v_user.role, current_user, true); -- only a member may run `drop owned by`
  end if;
  perform portolan.hold_definitions(array(
    select d.objid
    from pg_shdepend d
    where d.refclassid = 'pg_authid'::regclass and d.refobjid = to_regrole(quote_ident(v_user.role))
      and d.classid = 'pg_class'::regclass and d.deptype = 'a'
      and d.dbid = (select oid from pg_database where datname = current_database())));
  perform portolan.run_grant(format('drop owned by %I', v_user.role)); -- revokes its grants; it owns nothing
  execute format('drop role %I', v_user.role);
  perform portolan.forget_login(v_user.role);
end
$$;
