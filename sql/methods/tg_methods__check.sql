-- Checks the row of a method in every write. The owner is the account that makes it. Only a super user may publish. A
-- change by another account of anything but the description unpublishes it. A change of the statement or its hints
-- clears the types. Raises PX403, and PX400 for the problems of method_problem: a statement that cannot be read, an
-- unknown format.
create or replace function portolan.tg_methods__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_super boolean := portolan.is_super_user();
  -- columns that change nothing for others: text for people, and columns that the gateway and foreign keys write
  v_harmless constant text[] := '{description,published,owner,input_schema,output_schema,relations,relations_stamp}';
begin
  v_problem := portolan.method_problem(new, case when tg_op = 'UPDATE' then old end);
  if v_problem is not null then
    raise exception '% (method "%")', v_problem, new.method using errcode = 'PX400';
  end if;
  if tg_op = 'INSERT' then
    new.owner := coalesce(new.owner, (select m.name from portolan.me m));
    if new.owner is null then
      new.published := true; -- the operator's own
    end if;
    if new.published and not v_super then
      raise exception 'only a super user may publish a method' using errcode = 'PX403';
    end if;
    return new;
  end if;
  if new.q is distinct from old.q or new.type_hints is distinct from old.type_hints then
    new.input_schema := null;
    new.output_schema := null;
    new.relations := null;
    new.relations_stamp := null;
  end if;
  if not v_super then
    if new.published and not old.published then
      raise exception 'only a super user may publish a method' using errcode = 'PX403';
    end if;
    if to_jsonb(new) - v_harmless <> to_jsonb(old) - v_harmless then
      new.published := false;
    end if;
  end if;
  return new;
end
$$;
