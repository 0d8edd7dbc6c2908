-- Raises PX400 unless the account `name` may be in each of these groups.
create or replace function portolan.check_groups(name text, groups text[]) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_group text;
  v_superuser boolean;
begin
  foreach v_group in array groups loop
    if v_group = name then
      raise exception 'the account "%" cannot be its own group', name using errcode = 'PX400';
    end if;
    select u.superuser into v_superuser from portolan.users u where u.name = v_group and u.name <> 'anonymous';
    if not found then
      raise exception 'the group "%" is not an account', v_group using errcode = 'PX400';
    end if;
    if v_superuser then
      raise exception 'the group "%" is a super user: its members would be super users too', v_group using errcode = 'PX400';
    end if;
  end loop;
end
$$;
