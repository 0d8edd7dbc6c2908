-- Checks the row of a rule in every write: names that can be names, a valid address, nothing that could not hold. Its
-- filter is checked when it is compiled. Raises PX400.
create or replace function portolan.tg_rules__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
  v_kind "char";
  v_renamed boolean := tg_op = 'INSERT'; -- a rule whose table is gone by now can still be changed
begin
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'the number of a rule cannot be changed' using errcode = 'PX400';
  end if;
  if tg_op = 'UPDATE' then
    v_renamed := (new.username, new.schema, new."table") is distinct from (old.username, old.schema, old."table");
  end if;
  new.username := lower(new.username);
  if new.username !~ '^[a-z0-9_*?-]{1,100}$' then
    raise exception 'username must be the name of an account or group, or a glob of such: a-z, 0-9, _, -, * and ?'
      using errcode = 'PX400';
  elsif exists (select from portolan.users u where u.name = new.username and u.superuser) then
    raise exception 'rules do not apply to super users, and "%" is one', new.username using errcode = 'PX400';
  end if;
  if new.schema = '' or new."table" = '' or length(new.schema) > 200 or length(new."table") > 200 then
    raise exception 'schema and table must be names or globs' using errcode = 'PX400';
  end if;
  if new.iprange <> '*' then
    begin
      new.iprange := network(new.iprange::inet)::text;
    exception
      when others then
        raise exception 'iprange must be *, an address or a network such as 10.0.0.0/8' using errcode = 'PX400';
    end;
  end if;
  if new.schema ~ '^pg_' or new.schema in ('information_schema', 'portolan') then
    raise exception 'rules are for your own tables, not for schema %', new.schema using errcode = 'PX400';
  end if;

  select c.oid, c.relkind into v_relation, v_kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = new.schema and c.relname = new."table";
  perform portolan.refuse_rule_for(v_relation, v_kind);
  if (select c.relispartition from pg_class c where c.oid = v_relation) then
    raise exception '% is a partition, whose rows are read through % too: write the rule for that',
      v_relation, pg_partition_root(v_relation) using errcode = 'PX400';
  elsif exists (select from pg_inherits i where i.inhrelid = v_relation) then
    raise exception '% is a child by INHERITS, whose rows are read through % too: write the rule for that', v_relation,
      (select string_agg(i.inhparent::regclass::text, ' and ') from pg_inherits i where i.inhrelid = v_relation)
      using errcode = 'PX400';
  elsif v_relation is not null and not portolan.is_team_relation(v_relation) then
    raise exception 'rules are for your own tables, and % is not one', v_relation using errcode = 'PX400';
  elsif v_renamed and v_relation is null then
    perform portolan.check_rule_names(new.username, new.schema, new."table");
  elsif v_renamed then
    perform portolan.check_rule_names(new.username, '*', '*');
  end if;
  return new;
end
$$;
