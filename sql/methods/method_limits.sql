-- What a stored method may be, for method_problem. Made by npm run docs of server/methods/limits.ts; do not edit.
create or replace function portolan.method_limits() returns jsonb
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $limits$
  select $json${
  "name": "^[A-Za-z_][A-Za-z0-9_.-]{0,99}$",
  "reservedName": "^[Rr][Pp][Cc]\\.",
  "statementBytes": 100000,
  "statementDepth": 200,
  "typeName": "^(?:(?:[A-Za-z0-9_$]+|\"[^\"]+\") *\\. *)?(?:[A-Za-z0-9_$]+(?: [A-Za-z0-9_$]+)*|\"[^\"]+\")(?: *\\( *-?[0-9]+ *(?:, *-?[0-9]+ *)?\\))?(?: with(?:out)? time zone)?(?: *\\[\\])*$",
  "textLength": 200,
  "descriptionLength": 10000,
  "outputFormats": [
    "json",
    "csv",
    "tsv",
    "ndjson",
    "geojson",
    "excel",
    "markdown"
  ],
  "integers": {
    "srs": [
      1,
      998999
    ],
    "timeout_ms": [
      1,
      86400000
    ],
    "max_rows": [
      1,
      2147483647
    ],
    "cache_seconds": [
      0,
      86400
    ]
  }
}$json$::jsonb
$limits$;
