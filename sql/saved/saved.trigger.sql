-- The triggers and policies that all saved things have (see saved_kinds): each is shared and owned in the same way. Who may see and
-- change what is code, because it names functions.
do $$
declare
  v_kind record;
  v_mine constant text := 'owner = (select m.name from portolan.me m where m.name <> ''anonymous'') or (select portolan.is_super_user())';
begin
  for v_kind in
    select n.name, n.noun, format('portolan.%I', n.name) as relation
    from unnest('{maps, queries, dashboards, views}'::text[], '{map, query, dashboard, view}'::text[]) n (name, noun)
  loop
    execute format('create or replace trigger _110_check_shared before insert or update of shared on %s
      for each row execute function portolan.tg__check_shared()', v_kind.relation);
    execute format('create or replace trigger _120_own_saved before insert or update on %s
      for each row execute function portolan.tg__own_saved()', v_kind.relation);
    execute format('create or replace trigger _810_keep_version after insert or update or delete on %s
      for each row execute function portolan.tg__keep_version(%L)', v_kind.relation, v_kind.noun);
    execute format('create or replace trigger _700_limit_saved after insert on %s referencing new table as new_rows
      for each statement execute function portolan.tg__limit_saved(%L)', v_kind.relation, v_kind.noun);
    execute format('drop policy if exists read_%1$s on %2$s', v_kind.name, v_kind.relation);
    execute format('create policy read_%1$s on %2$s for select using (
      shared && (select portolan.my_names())
      or owner = (select m.name from portolan.me m)
      or (select portolan.is_super_user()))', v_kind.name, v_kind.relation);
    execute format('drop policy if exists make_%1$s on %2$s', v_kind.name, v_kind.relation);
    execute format('create policy make_%1$s on %2$s for insert with check (%3$s)', v_kind.name, v_kind.relation, v_mine);
    execute format('drop policy if exists change_%1$s on %2$s', v_kind.name, v_kind.relation);
    execute format('create policy change_%1$s on %2$s for update using (%3$s)', v_kind.name, v_kind.relation, v_mine);
    execute format('drop policy if exists drop_%1$s on %2$s', v_kind.name, v_kind.relation);
    execute format('create policy drop_%1$s on %2$s for delete using (%3$s)', v_kind.name, v_kind.relation, v_mine);
  end loop;
end
$$;

drop policy if exists read_versions on portolan.saved_versions;
create policy read_versions on portolan.saved_versions for select using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));
