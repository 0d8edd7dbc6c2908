/** Shapes that GeoJSON does not hold: what is read, and written again, is another shape. */
import { quotedName } from "../sql/literals.ts";
import { runStatements } from "../sql/statements.ts";
import type { Column, Relation } from "./relations.ts";
import type { Row } from "./rows.ts";
import { hasSystem, WGS84 } from "./systems.ts";

/** Columns of these types have straight shapes without measures, in one reference system, alone. */
const PLAIN = /\((multi)?(point|linestring|polygon)(z)?,/i;
const SURFACES = "('TIN', 'TRIANGLE', 'POLYHEDRALSURFACE')";

/**
 * The keys of the rows whose shapes GeoJSON would change: it has no arcs, measures and surfaces, no other reference
 * system, and no coordinates that are not finite. Throws `ServiceError`.
 */
export async function unfaithful(
  { schema, table, key }: Relation,
  column: Column,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const isNull = rows.map(({ values }) => values[column.name] === null);
  const isPlain = PLAIN.test(column.sqlType);
  const isKnown = hasSystem(column);
  if (key.length === 0 || rows.length === 0 || (isPlain && isKnown && !isNull.includes(true))) return new Set();
  const shape = `t.${quotedName(column.column)}::geometry`;
  const keys = key.map((each) => `t.${quotedName(each.column)}`).join(", ");
  const given = key.map(({ sqlType }, index) => `(k.value ->> ${index})::${sqlType}`).join(", ");
  const isOther = [
    `(k.value ->> ${key.length})::boolean and ${shape} is not null`, // its coordinates are not finite
    ...(isPlain
      ? []
      : [`st_hasarc(${shape})`, `st_zmflag(${shape}) in (1, 3)`, `geometrytype(${shape}) in ${SURFACES}`]),
    // a shape without a system would get that of GeoJSON, and then not meet the others of its table
    ...(isKnown ? [] : [`st_srid(${shape}) <> ${WGS84}`]),
  ];
  const text = `
select k.place::int - 1 as place
from json_array_elements(:keys::json) with ordinality k (value, place)
join ${quotedName(schema)}.${quotedName(table)} t on (${keys}) = (${given})
where ${isOther.join("\n  or ")}`;
  const params = { keys: rows.map(({ values }, index) => [...key.map(({ name }) => values[name]), isNull[index]]) };
  const [result] = await runStatements([{ text, params }], false);
  const found = (result?.data ?? []) as unknown as readonly { readonly place: number }[];
  return new Set(found.map(({ place }) => rows[place]!.key!));
}
