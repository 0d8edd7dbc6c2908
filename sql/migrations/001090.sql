-- Members that an administrator or the registration token has given to a client that describes itself: it keeps them.
alter table portolan.clients add column imposed jsonb not null default '{}';
update portolan.clients c
set imposed = jsonb_strip_nulls(jsonb_build_object(
  'disabled', nullif(c.disabled, false),
  'require_par',
    case when c.metadata -> 'require_pushed_authorization_requests' is distinct from 'true' then nullif(c.require_par, false) end,
  'dpop_bound_access_tokens',
    case when c.metadata -> 'dpop_bound_access_tokens' is distinct from 'true' then nullif(c.dpop_bound_access_tokens, false) end))
where c.origin <> 'administrator';
