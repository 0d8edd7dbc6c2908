-- Keeps methods true whoever writes them: the owner is who makes one, only a super user publishes, a change by somebody
-- else of anything but the description unpublishes, a change of the statement or its hints voids the types. Raises
-- PX403, and PX400 for a reference system that is not there and a format that is none.
create or replace function portolan.tg_methods__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- methods/method.ts has the same
  v_formats constant text[] := '{json,csv,tsv,ndjson,geojson,excel,markdown}';
  v_super boolean := portolan.is_super_user();
  -- what others see alike whatever it says: text for people, and what the gateway and foreign keys write
  v_harmless constant text[] := '{description,published,owner,input_schema,output_schema,relations,relations_stamp}';
begin
  if (tg_op = 'INSERT' or new.srs is distinct from old.srs) and not portolan.has_reference_system(new.srs) then
    raise exception 'srs: there is no reference system % (method "%")', new.srs, new.method using errcode = 'PX400';
  end if;
  if not new.output_format = any (v_formats) then
    raise exception 'output_format: there is no "%", but % (method "%")',
      new.output_format, array_to_string(v_formats, ', '), new.method using errcode = 'PX400';
  end if;
  if tg_op = 'INSERT' then
    new.owner := coalesce(new.owner, (select m.name from portolan.me m));
    if new.owner is null then
      new.published := true; -- the operator's own
    end if;
    if new.published and not v_super then
      raise exception 'only a super user publishes a method' using errcode = 'PX403';
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
      raise exception 'only a super user publishes a method' using errcode = 'PX403';
    end if;
    if to_jsonb(new) - v_harmless <> to_jsonb(old) - v_harmless then
      new.published := false;
    end if;
  end if;
  return new;
end
$$;
