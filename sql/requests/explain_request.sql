-- A request of the last 24 hours, by its id (X-Request-Id), and for each of its failures why a right was missing:
-- whether a grant, a rule, a policy or the workflow refused it, with the reasons of explain_access, of which the
-- deciding ones are marked, and who may change them. A super user sees every request. An account sees its own, with the
-- reasons that apply to it, and without the names of other accounts. GET /requests/{id}, `portolan request`. Raises
-- PX404, 42501.
create or replace function portolan.explain_request(id text) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read requests, accounts and rules
as $$
#variable_conflict use_column
declare
  v_own text := portolan.own_account();
  v_answer jsonb;
begin
  select
    to_jsonb((array_agg(r order by r.number))[1]) - '{number,code,relation,commands,error_id,error,session,process}'::text[]
      || jsonb_build_object('failures', coalesce(
        jsonb_agg(portolan.explain_failure(r, v_own is null) order by r.number) filter (where r.code is not null), '[]'))
  into v_answer
  from portolan.requests r
  where r.number in (
    select q.number
    from portolan.requests q
    where q.id = explain_request.id and (v_own is null or q.account = v_own and q.at >= portolan.made_at(v_own))
    order by q.number
    limit 100);
  if v_answer is null then
    raise exception 'there is no request % in the last 24 hours that you may see', quote_literal(left(id, 100))
      using errcode = 'PX404';
  end if;
  return v_answer;
end
$$;
