-- Functions of PostgreSQL and of extensions that run a text, or functions named in a text, so that their effect is
-- unknown.
create or replace function portolan.text_runners() returns text[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select '{
    query_to_xml, query_to_xmlschema, query_to_xml_and_xmlschema, cursor_to_xml, cursor_to_xmlschema, table_to_xml,
    table_to_xmlschema, table_to_xml_and_xmlschema, schema_to_xml, schema_to_xmlschema, schema_to_xml_and_xmlschema,
    database_to_xml, database_to_xmlschema, database_to_xml_and_xmlschema, ts_stat, ts_rewrite, set_config, crosstab, crosstab2,
    crosstab3, crosstab4, connectby, xpath_table, dblink, dblink_exec, dblink_open, dblink_send_query}'::text[]
$$;
