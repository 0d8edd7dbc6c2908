-- Reads the text of a rule's filter: `condition` with $1, $2, … for {{key}}, and the keys in that order. The text becomes
-- part of statements of the owner, so everything that could end an expression or hide what follows is refused before
-- PostgreSQL sees it: statement separators, comments, dollar quotes, and strings with escapes. Raises PX400.
create or replace function portolan.read_filter(filter text, out condition text, out keys text[])
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token text;
  v_key text;
begin
  condition := '';
  keys := '{}';
  for v_token in
    select m[1] from regexp_matches(filter, '(''(?:[^'']|'''')*''|"(?:[^"]|"")*"|\{\{[^{}]*\}\}|[^''"{]+|.)', 'g') m
  loop
    if v_token like '{{%' then
      v_key := (regexp_match(v_token, '^\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}$'))[1];
      if v_key is null then
        raise exception 'the filter has %, which is not a {{key}}: a key has letters, digits, _ and -', v_token
          using errcode = 'PX400';
      elsif not v_key = any (keys) then
        keys := keys || v_key;
      end if;
      condition := condition || '$' || array_position(keys, v_key);
      continue;
    elsif v_token in ('''', '"') then
      raise exception 'the filter has a quote that is not closed' using errcode = 'PX400';
    elsif v_token ~ '^[''"]' then
      if v_token ~ '\{\{' then
        raise exception 'the filter has a {{key}} inside quotes: remove the quotes' using errcode = 'PX400';
      elsif condition ~ '[[:alnum:]_&$]$' then
        raise exception 'the filter has a quote right after a letter: put a space between them' using errcode = 'PX400';
      end if;
    elsif v_token ~ '[;\\$]|--|/\*' then
      raise exception 'the filter must be one expression, without ; comments, dollar quotes and backslashes outside strings'
        using errcode = 'PX400';
    end if;
    condition := condition || v_token;
  end loop;
  if btrim(condition, E' \t\r\n') = '' then
    raise exception 'the filter is empty' using errcode = 'PX400';
  end if;
end
$$;
