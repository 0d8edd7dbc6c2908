-- For accenti of CQL2 filters; where it cannot be had, filters are refused that need it.
do $$
begin
  create extension if not exists unaccent with schema portolan;
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise notice 'unaccent is not available: filters cannot compare without regard to accents';
end
$$;
