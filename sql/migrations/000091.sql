-- The output format tsv of stored methods.
alter table portolan.methods
  drop constraint methods_output_format,
  add constraint methods_output_format check (output_format in ('json', 'csv', 'tsv', 'ndjson', 'geojson', 'excel'));
