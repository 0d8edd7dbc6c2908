/** How PostgreSQL's own operators and functions treat null. */

/** Operators of PostgreSQL that return null only for null. */
export const TOTAL_OPERATORS = new Set([
  ..."+-*/%^<>=",
  "<=",
  ">=",
  "<>",
  "!=",
  "||",
  "~~",
  "!~~",
  "~~*",
  "!~~*",
  "~",
  "~*",
  "!~",
  "!~*",
]);

/** Functions that give no null, whatever they get. */
export const NEVER_NULL = new Set([
  ..."count now clock_timestamp statement_timestamp transaction_timestamp random gen_random_uuid nextval lastval".split(
    " ",
  ),
  ..."row_number rank dense_rank ntile percent_rank cume_dist pi version current_database concat concat_ws".split(" "),
  ..."json_build_object jsonb_build_object json_build_array jsonb_build_array num_nulls num_nonnulls pg_backend_pid".split(
    " ",
  ),
]);

/** Functions that return null only for null. */
export const TOTAL_FUNCTIONS = new Set(
  (
    "lower upper length char_length octet_length btrim ltrim rtrim trim initcap replace reverse repeat left right lpad rpad substr " +
    "translate md5 abs ceil ceiling floor round trunc sqrt power sign mod to_json to_jsonb date_trunc " +
    "make_date quote_ident quote_literal strpos position split_part upper_inf lower_inf isempty"
  ).split(" "),
);
