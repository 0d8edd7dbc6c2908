-- is_core_owner looks at one role instead.
drop function if exists portolan.core_owners();
