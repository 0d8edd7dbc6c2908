/** Code that reads a relation, and its type in TypeScript. */
import { service } from "../../service/http/address.ts";
import { collectionPath } from "../../service/maps.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Sample } from "../../ui/code/CodeSamples.tsx";
import { documentSamples } from "../../ui/code/documentSamples.ts";
import { t } from "../../words/words.ts";

const SCALARS: Readonly<Record<string, string>> = {
  Int: "number",
  Float: "number",
  Boolean: "boolean",
  JSON: "unknown",
};
/** Scalars that are sent as texts, which keep every digit. */
const TEXTS = /^(String|ID|BigInt|BigFloat|Decimal|Date|Datetime|DateTime|Time|UUID|InternetAddress)$/;

const SPATIAL = /\b(geometry|geography)\b/;
const GEOMETRY = `/** A geometry of GeoJSON (RFC 7946). */
export type Geometry =
  | { type: "Point"; coordinates: number[] }
  | { type: "MultiPoint" | "LineString"; coordinates: number[][] }
  | { type: "MultiLineString" | "Polygon"; coordinates: number[][][] }
  | { type: "MultiPolygon"; coordinates: number[][][][] }
  | { type: "GeometryCollection"; geometries: Geometry[] };
`;

function typeOf({ isNullable, values, sqlType, ...member }: Column): string {
  const labels = values && (values.map((value) => JSON.stringify(value)).join(" | ") || "never");
  const one = SPATIAL.test(sqlType) ? "Geometry" : labels;
  const whole = wholeOf(member, one);
  return isNullable ? orNull(whole) : whole;
}

/**
 * The TypeScript type of a column. `one`: the type of a value, or of each in a list, if its GraphQL type does not tell.
 * Members of a composite value may be null.
 */
function wholeOf({ type, members = [] }: Pick<Column, "type" | "members">, one?: string): string {
  const element = type.replace(/^\[(.*)\]$/, "$1");
  const each =
    one ??
    (members.length > 0
      ? `{ ${members.map((member) => `${member.name}: ${orNull(wholeOf(member))}`).join("; ")} }`
      : (SCALARS[element] ?? (TEXTS.test(element) ? "string" : "unknown")));
  return element === type ? each : `(${each} | null)[]`;
}

function orNull(type: string): string {
  return type === "unknown" ? type : `${type} | null`;
}

/** A module with one interface: a row as GraphQL returns it. */
export function typescriptOf({ type, columns }: Relation): string {
  const members = columns.map((column) => `  ${column.name}: ${typeOf(column)};`);
  const helpers = columns.some(({ sqlType }) => SPATIAL.test(sqlType)) ? `\n${GEOMETRY}` : "";
  return `/** A row of ${type}. */\nexport interface ${type} {\n${members.join("\n")}\n}\n${helpers}`;
}

/** Code for the writes that the account may make: insert, update and delete a row. */
export function writingSamples(relation: Relation): readonly Writing[] {
  const { schema, type, columns, insertColumns, canDelete } = relation;
  const answer = columns.map(({ selection }) => selection).join(" ");
  const updated = columns.filter(({ canUpdate }) => canUpdate);
  const where = columns[0] ? { [columns[0].name]: { eq: exampleOf(columns[0]) } } : {};
  const writing = (what: string, field: string, parameters: string, variables: object): Writing => {
    const names = Object.keys(variables);
    const query = `mutation (${parameters}) { ${field}(${names.map((name) => `${name}: $${name}`).join(", ")}) { ${answer} } }`;
    return {
      what,
      samples: documentSamples(schema, { query, variables }, { field, dataType: `{ ${field}: unknown }` }),
    };
  };
  const valuesOf = (some: readonly Column[]) =>
    Object.fromEntries(some.map((column) => [column.name, exampleOf(column)]));
  const [given] = updated;
  return [
    ...(insertColumns.length > 0
      ? [writing(t("Insert a row"), `insert${type}`, "$data: JSON", { data: valuesOf(insertColumns) })]
      : []),
    ...(given
      ? [writing(t("Update rows"), `update${type}`, "$where: JSON, $data: JSON", { where, data: valuesOf([given]) })]
      : []),
    ...(canDelete ? [writing(t("Delete rows"), `delete${type}`, "$where: JSON", { where })] : []),
  ];
}

function exampleOf({ type, sqlType, values }: Column): unknown {
  if (SPATIAL.test(sqlType)) return { type: "Point", coordinates: [0, 0] };
  if (type.startsWith("[")) return [];
  return values?.[0] ?? { number: 1, boolean: true, unknown: {} }[SCALARS[type] ?? ""] ?? "…";
}

export interface Writing {
  readonly what: string;
  readonly samples: readonly Sample[];
}

/** Code that reads the same rows, in several languages. */
export function readingSamples(relation: Relation): readonly Sample[] {
  const { schema, type, columns } = relation;
  const field = `get${type}`;
  const selection = columns.map((column) => column.selection);
  const query = `query ($where: JSON) { ${field}(where: $where, limit: 10) { ${selection.join(" ")} } }`;
  const options = { declarations: `${typescriptOf(relation)}\n`, dataType: `{ ${field}: ${type}[] }`, field };
  return [
    ...documentSamples(schema, { query, variables: { where: {} } }, options),
    {
      name: "GraphQL",
      code: `query ($where: JSON) {
  ${field}(where: $where, limit: 10) {
${selection.map((each) => `    ${each}`).join("\n")}
  }
}
`,
    },
  ];
}

export interface Address {
  readonly what: string;
  readonly url: string;
}

/** The addresses for GIS programs. `database`: its name. */
export function addressesOf(database: string, { schema, table }: Relation): readonly Address[] {
  const root = `${service}/api/v4/ogc/database/${encodeURIComponent(database)}`;
  const collection = service + collectionPath(database, schema, table);
  return [
    { what: t("OGC API, for QGIS and others"), url: root },
    { what: t("Features as GeoJSON"), url: `${collection}/items?f=json&limit=100` },
    { what: t("Map as a picture"), url: `${collection}/map?width=800` },
    { what: t("Vector tiles"), url: `${collection}/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}?f=mvt` },
    { what: t("Map tiles"), url: `${collection}/map/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}?f=png` },
    { what: t("Style for MapLibre"), url: `${collection}/styles/default?f=mbs` },
  ];
}
