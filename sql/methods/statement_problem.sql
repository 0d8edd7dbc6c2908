-- The reason why a text is not a statement that a stored method could run; null if it is one. The gateway applies the
-- same rules when it reads a statement (server/methods/statement/lexer.ts, statement.ts). `:name` is found in the same
-- way: not in strings, quoted identifiers, dollar quotes, comments, casts and slices. PostgreSQL's own parser reads the
-- rest, in a block that returns before it runs the statement.
create or replace function portolan.statement_problem(q text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set standard_conforming_strings = on
as $function$
declare
  v_limits jsonb := portolan.method_limits();
  v_letter constant text := '[A-Za-z_\u0080-\U0010ffff]';
  -- every character is in one of these classes; a word has no $, which begins and ends dollar quotes
  v_tokens text[] := array(
    select m[1] from regexp_matches(
      q, format('[ \t\n\r\f\v]+|%s[0-9%s*|[0-9]+|.', v_letter, substr(v_letter, 2)), 'g') m);
  v_operator_words constant text :=
    '^(and|or|not|in|like|ilike|similar|between|is|from|case|when|then|else|select|distinct|where|having|by|on|using|escape|collate|any|all|some|limit|offset)$';
  v_count integer := cardinality(v_tokens);
  v_at integer := 1;
  v_token text;
  v_inside text; -- ' and E of strings, " of a quoted identifier, - of a line's comment, * of another, or a dollar quote's tag
  v_comments integer := 0;
  v_continues boolean := false; -- the string before had backslashes, and may continue after a line break
  v_brackets text := '';
  v_operand boolean := false;
  v_word text := ''; -- the last token, except one adjacent to it, such as the dot of a name
  v_first text;
  v_statements integer := 0;
  v_is_begun boolean := false;
  v_names text[] := '{}';
  v_name text;
  v_start integer;
begin
  if octet_length(q) > (v_limits ->> 'statementBytes')::integer then
    return format('the statement is longer than %s bytes', v_limits ->> 'statementBytes');
  end if;
  while v_at <= v_count loop
    v_token := v_tokens[v_at];
    v_start := v_at;
    v_at := v_at + 1;

    if v_inside = '-' then
      if v_token ~ '[\n\r]' then
        v_inside := null;
      end if;
      continue;
    elsif v_inside = '*' then
      if v_token = '/' and v_tokens[v_at] = '*' or v_token = '*' and v_tokens[v_at] = '/' then
        v_comments := v_comments + case v_token when '/' then 1 else -1 end;
        v_at := v_at + 1;
        if v_comments = 0 then
          v_inside := null;
        end if;
      end if;
      continue;
    elsif v_inside in ('''', 'E', '"') then
      if v_inside = 'E' and v_token = '\' then
        v_at := v_at + 1;
      elsif v_token = (case v_inside when '"' then '"' else '''' end) then
        if v_tokens[v_at] = v_token then
          v_at := v_at + 1;
        else
          v_continues := v_inside = 'E';
          v_inside := null;
        end if;
      end if;
      continue;
    elsif v_inside is not null then -- $tag$
      if v_token = '$' and v_inside = '$$' and v_tokens[v_at] = '$' then
        v_at := v_at + 1;
        v_inside := null;
      elsif v_token = '$' and v_tokens[v_at + 1] = '$' and v_inside = '$' || v_tokens[v_at] || '$' then
        v_at := v_at + 2;
        v_inside := null;
      end if;
      continue;
    end if;

    if v_token ~ '^[ \t\n\r\f\v]' then
      v_continues := v_continues and v_token ~ '[\n\r]';
      continue;
    elsif v_token = '-' and v_tokens[v_at] = '-' then
      v_inside := '-';
      continue;
    elsif v_token = '/' and v_tokens[v_at] = '*' then
      v_inside := '*';
      v_comments := 1;
      v_at := v_at + 1;
      continue;
    elsif v_token = ';' then
      v_is_begun := false;
      v_tokens[v_start] := ' '; -- exactly one statement must be left
      continue;
    end if;
    if not v_is_begun then
      v_is_begun := true;
      v_statements := v_statements + 1;
    end if;

    if v_token = '''' then
      v_inside := case when v_continues then 'E' else '''' end;
      v_operand := true;
      v_word := '';
    elsif v_token = '"' then
      v_inside := '"';
      v_operand := true;
      v_word := '';
    elsif v_token = '$' then
      if v_tokens[v_at] = '$' then
        v_inside := '$$';
        v_at := v_at + 1;
      elsif v_tokens[v_at + 1] = '$' and v_tokens[v_at] ~ ('^' || v_letter) then
        v_inside := '$' || v_tokens[v_at] || '$';
        v_at := v_at + 2;
      elsif v_tokens[v_at] ~ '^[0-9]' then
        return 'parameters are written :name, not $1';
      end if;
      v_operand := true;
      v_word := '';
    elsif v_token = ':' then
      if v_tokens[v_at] in (':', '=') then
        v_at := v_at + 1;
        v_operand := false;
      elsif right(v_brackets, 1) = '[' and v_operand then
        v_operand := false; -- the bounds of a slice
      elsif v_tokens[v_at] ~ ('^' || v_letter) then
        v_name := '';
        while v_tokens[v_at] = '$' or v_tokens[v_at] ~ '^[0-9A-Za-z_\u0080-\U0010ffff]' loop
          v_name := v_name || v_tokens[v_at];
          v_tokens[v_at] := '';
          v_at := v_at + 1;
        end loop;
        if array_position(v_names, v_name) is null then
          v_names := v_names || v_name;
        end if;
        v_tokens[v_start] := ' $' || array_position(v_names, v_name);
        v_operand := true;
      end if;
      v_word := '';
    elsif v_token ~ ('^' || v_letter) then
      v_name := v_token;
      while v_tokens[v_at] = '$' or v_name like '%$%' and v_tokens[v_at] ~ '^[0-9A-Za-z_\u0080-\U0010ffff]' loop
        v_name := v_name || v_tokens[v_at];
        v_at := v_at + 1;
      end loop;
      v_first := coalesce(v_first, lower(v_name));
      if lower(v_name) = 'into' and v_word not in ('insert', 'merge', 'as', '.') then
        return 'SELECT INTO makes a table';
      elsif lower(v_name) = 'e' and v_tokens[v_at] = '''' then
        v_inside := 'E';
        v_at := v_at + 1;
        v_operand := true;
        v_word := '';
      else
        v_operand := lower(v_name) !~ v_operator_words;
        v_word := lower(v_name);
      end if;
    else
      if v_token in ('(', '[') then
        v_brackets := v_brackets || v_token;
        if length(v_brackets) > (v_limits ->> 'statementDepth')::integer then
          return format('parentheses are nested more than %s deep', v_limits ->> 'statementDepth');
        end if;
      elsif v_token in (')', ']') then
        v_brackets := left(v_brackets, -1);
      end if;
      v_operand := v_token ~ '[])0-9]';
      if v_token <> '(' then
        v_first := coalesce(v_first, v_token);
      end if;
      v_word := v_token;
    end if;
    v_continues := false;
  end loop;

  if v_statements = 0 then
    return 'the statement is empty';
  elsif v_statements > 1 then
    return format('must be one statement, not %s', v_statements);
  end if;
  begin
    execute 'do ' || quote_literal(
      E'declare "the statement" refcursor; begin return; open "the statement" for\n'
      || case when v_first = 'execute' then '' else array_to_string(v_tokens, '') end || E'\n; end');
  exception
    when others then
      return sqlerrm;
  end;
  if v_first <> all ('{select,values,table,with,insert,update,delete,merge}') then
    return 'must be a SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE';
  end if;
  return null;
end
$function$;
