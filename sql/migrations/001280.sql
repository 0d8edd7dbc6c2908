-- The chart of a saved query: {show: number, line or bar, x, y}, as in a panel of a dashboard; null: a table.
alter table portolan.queries add column chart jsonb;
-- A version from before charts has none: restoring it takes the chart away.
update portolan.saved_versions set item = item || '{"chart": null}' where noun = 'query';
-- They have another result or another argument now.
drop function if exists portolan.list_queries(text[]);
drop function if exists portolan.create_query(text, text, text, text[]);
