-- Keeps a rule true, whoever writes the row: names that can be names, an address that is one, nothing that could not
-- hold. Its filter is checked when it is compiled. Called by the trigger _100_check_rule. Raises PX400.
create or replace function portolan.tg_rules__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
  v_kind "char";
  v_tables text;
begin
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'the number of a rule does not change' using errcode = 'PX400';
  end if;
  new.username := lower(new.username);
  if new.username !~ '^[a-z0-9_*?-]{1,100}$' then
    raise exception 'username is the name of an account or group, or a glob of such: a-z, 0-9, _, -, * and ?'
      using errcode = 'PX400';
  elsif exists (select from portolan.users u where u.name = new.username and u.superuser) then
    raise exception 'rules do not bind super users, and "%" is one', new.username using errcode = 'PX400';
  elsif new.username !~ '[*?]' and not exists (select from portolan.users u where u.name = new.username) then
    raise warning 'there is no account "%" yet', new.username;
  end if;
  if new.schema = '' or new."table" = '' or length(new.schema) > 200 or length(new."table") > 200 then
    raise exception 'schema and table are names or globs' using errcode = 'PX400';
  end if;
  if new.iprange <> '*' then
    begin
      new.iprange := network(new.iprange::inet)::text;
    exception
      when others then
        raise exception 'iprange is *, an address or a network such as 10.0.0.0/8' using errcode = 'PX400';
    end;
  end if;
  if new.schema ~ '^pg_' or new.schema in ('information_schema', 'portolan') then
    raise exception 'rules are for tables of yours, not for schema %', new.schema using errcode = 'PX400';
  end if;

  select c.oid, c.relkind into v_relation, v_kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = new.schema and c.relname = new."table";
  if v_kind in ('v', 'm') then
    select string_agg(distinct t.relation::text, ', ') into v_tables from portolan.tables_beneath(v_relation) t;
    if v_kind = 'm' then
      raise exception 'rules cannot hold for %, which is a materialized view: what it holds was read by its owner. Take the grants away (revoke select on % from …) and write the rule for %',
        v_relation, v_relation, coalesce(v_tables, 'its tables') using errcode = 'PX400';
    end if;
    raise exception 'rules hold for tables, and % is a view: write the rule for % and run: alter view % set (security_invoker = true);',
      v_relation, coalesce(v_tables, 'its tables'), v_relation using errcode = 'PX400';
  elsif v_kind = 'f' then
    raise exception 'rules cannot hold for %, which is a foreign table. Take the grants away: revoke all on % from …; and show a view of it that says what may be seen',
      v_relation, v_relation using errcode = 'PX400';
  elsif (select c.relispartition from pg_class c where c.oid = v_relation) then
    raise exception '% is a partition, whose rows are read through % too: write the rule for that',
      v_relation, pg_partition_root(v_relation) using errcode = 'PX400';
  elsif exists (select from pg_inherits i where i.inhrelid = v_relation) then
    raise exception '% is a child by INHERITS, whose rows are read through % too: write the rule for that', v_relation,
      (select string_agg(i.inhparent::regclass::text, ' and ') from pg_inherits i where i.inhrelid = v_relation)
      using errcode = 'PX400';
  elsif v_relation is not null and not portolan.is_team_relation(v_relation) then
    raise exception 'rules are for tables of yours, and % is not one', v_relation using errcode = 'PX400';
  end if;
  return new;
end
$$;

comment on function portolan.tg_rules__check() is 'Keeps a rule true, whoever writes the row.';

revoke execute on function portolan.tg_rules__check() from public;
