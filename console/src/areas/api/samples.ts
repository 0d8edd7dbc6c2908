/** Code that reads a relation, and its type in TypeScript. */
import { service } from "../../service/http/address.ts";
import { collectionPath } from "../../service/maps.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Sample } from "../../ui/code/CodeSamples.tsx";
import { documentSamples } from "../../ui/code/documentSamples.ts";
import { readSamples } from "../../ui/code/requestSamples.ts";
import { statementSamples } from "../../ui/code/statementSamples.ts";
import { python, quoted, quotedName } from "../../service/sql/literals.ts";
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

/** Code for the writes that the account may make: insert, update and delete a row, by GraphQL and by SQL. */
export function writingSamples(relation: Relation): readonly Writing[] {
  const { schema, type, columns, insertColumns, canDelete } = relation;
  const answer = columns.map(({ selection }) => selection).join(" ");
  const updated = columns.filter(({ canUpdate }) => canUpdate);
  const where = columns[0] ? { [columns[0].name]: { eq: exampleOf(columns[0]) } } : {};
  const writing = (what: string, field: string, variables: object, statement: string): Writing => {
    const names = Object.keys(variables);
    const query = `mutation (${names.map((name) => `$${name}: JSON`).join(", ")}) { ${field}(${names.map((name) => `${name}: $${name}`).join(", ")}) { ${answer} } }`;
    return {
      what,
      samples: [
        ...documentSamples(schema, { query, variables }, { field, dataType: `{ ${field}: unknown }` }),
        { name: "SQL", code: statement },
      ],
    };
  };
  const valuesOf = (some: readonly Column[]) =>
    Object.fromEntries(some.map((column) => [column.name, exampleOf(column)]));
  const [given] = updated;
  const name = `${quotedName(schema)}.${quotedName(relation.table)}`;
  const condition = columns[0] ? `${quotedName(columns[0].column)} = ${sqlExample(columns[0])}` : "false";
  return [
    ...(insertColumns.length > 0
      ? [
          writing(
            t("Insert a row"),
            `insert${type}`,
            { data: valuesOf(insertColumns) },
            `insert into ${name} (${insertColumns.map(({ column }) => quotedName(column)).join(", ")})
values (${insertColumns.map(sqlExample).join(", ")})
returning *;
`,
          ),
        ]
      : []),
    ...(given
      ? [
          writing(
            t("Update rows"),
            `update${type}`,
            { where, data: valuesOf([given]) },
            `update ${name}
set ${quotedName(given.column)} = ${sqlExample(given)}
where ${condition};
`,
          ),
        ]
      : []),
    ...(canDelete
      ? [
          writing(
            t("Delete rows"),
            `delete${type}`,
            { where },
            `delete from ${name}
where ${condition};
`,
          ),
        ]
      : []),
  ];
}

function exampleOf({ type, sqlType, values }: Column): unknown {
  if (SPATIAL.test(sqlType)) return { type: "Point", coordinates: [0, 0] };
  if (type.startsWith("[")) return [];
  if (NUMBER.test(sqlType)) return 1;
  return values?.[0] ?? { number: 1, boolean: true, unknown: {} }[SCALARS[type] ?? ""] ?? "…";
}

function sqlExample(column: Column): string {
  const { sqlType, type } = column;
  if (SPATIAL.test(sqlType)) return `st_setsrid(st_makepoint(0, 0), 4326)`;
  if (TIME.test(sqlType)) return "now()";
  if (sqlType === "uuid") return "gen_random_uuid()";
  const value = exampleOf(column);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return type.startsWith("[") ? `'{}'` : quoted(typeof value === "string" ? value : JSON.stringify(value));
}

const NUMBER = /^(smallint|integer|bigint|numeric|real|double precision)\b/;
const TIME = /^(date|timestamp)\b/;

export interface Writing {
  readonly what: string;
  readonly samples: readonly Sample[];
}

/** Code that reads the same rows, in several languages. */
function readingSamples(relation: Relation): readonly Sample[] {
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

/** An interface of the service, with code that reads the same rows by it. */
export interface Reading {
  readonly name: "GraphQL" | "REST" | "SQL" | "OGC API";
  readonly about: string;
  readonly samples: readonly Sample[];
}

const MOST = 10;

/** `database`: its name; undefined where the relation is no collection of the OGC API. */
export function readings(relation: Relation, database: string | undefined): readonly Reading[] {
  const { schema, table, columns } = relation;
  const encoded = [schema, table].map(encodeURIComponent);
  const isNamedAlike = columns.every(({ name, column }) => name === column);
  const declarations = isNamedAlike ? `${typescriptOf(relation)}\n` : "";
  const row = isNamedAlike ? relation.type : "Record<string, unknown>";
  const statement = `select ${columns.map(({ column }) => quotedName(column)).join(", ") || "*"}
from ${quotedName(schema)}.${quotedName(table)}
limit :most`;
  return [
    {
      name: "GraphQL",
      about: t("Rows with their relations, of several tables at once, and changes as they happen."),
      samples: readingSamples(relation),
    },
    {
      name: "REST",
      about: t("Rows as a document: JSON, CSV, GeoJSON, Parquet, Excel and other formats."),
      samples: readSamples(
        `/api/v4/schemas/${encoded[0]}/tables/${encoded[1]}/rows`,
        { where: "{}", limit: String(MOST) },
        { typescript: `console.log((await response.json()) as ${row}[]);`, python: "print(answer)" },
        declarations,
      ),
    },
    {
      name: "SQL",
      about: t("Any statement with parameters, under the rights of the account."),
      samples: [
        ...statementSamples({ q: statement, params: { most: MOST } }),
        { name: "SQL", code: `${statement.replace(":most", String(MOST))};\n` },
      ],
    },
    ...(database === undefined
      ? []
      : [
          {
            name: "OGC API" as const,
            about: t("Features as GeoJSON, by box, time and filter in CQL2."),
            samples: readSamples(
              `${collectionPath(database, schema, table)}/items`,
              { f: "json", limit: String(MOST), bbox: "-180,-90,180,90" },
              {
                typescript: `const { features } = (await response.json()) as { features: { id?: string | number; properties: ${row} }[] };
for (const { id, properties } of features) console.log(id, properties);`,
                python: 'for feature in answer["features"]:\n    print(feature.get("id"), feature["properties"])',
              },
              declarations,
            ),
          },
        ]),
  ];
}

/** A module of Python with one type: a row as GraphQL returns it. */
export function pythonOf({ type, columns }: Relation): string {
  const nested: string[] = [];
  const typeIn = (column: Pick<Column, "name" | "type" | "members">, one: string | undefined, path: string): string => {
    const element = column.type.replace(/^\[(.*)\]$/, "$1");
    const members = column.members ?? [];
    let each = one ?? PYTHON[element] ?? (TEXTS.test(element) ? "str" : "Any");
    if (one === undefined && members.length > 0) {
      each = `${path}${column.name.charAt(0).toUpperCase()}${column.name.slice(1)}`;
      const inner = members.map((member) => `    ${python(member.name)}: ${orNone(typeIn(member, undefined, each))},`);
      nested.push(`${each} = TypedDict(${python(each)}, {\n${inner.join("\n")}\n})`);
    }
    return element === column.type ? each : `list[${orNone(each)}]`;
  };
  const fields = columns.map((column) => {
    const { values, sqlType, isNullable } = column;
    const labels = values && (values.length > 0 ? `Literal[${values.map(python).join(", ")}]` : "Any");
    const whole = typeIn(column, SPATIAL.test(sqlType) ? "Geometry" : labels, type);
    return `    ${python(column.name)}: ${isNullable ? orNone(whole) : whole},`;
  });
  const head = columns.some(({ sqlType }) => SPATIAL.test(sqlType))
    ? ["# A geometry of GeoJSON (RFC 7946).\nGeometry = dict[str, Any]"]
    : [];
  const row = `# A row of ${type}.\n${type} = TypedDict(${python(type)}, {\n${fields.join("\n")}\n})`;
  return `from typing import Any, Literal, TypedDict\n\n${[...head, ...nested, row].join("\n\n")}\n`;
}

const PYTHON: Readonly<Record<string, string>> = { Int: "int", Float: "float", Boolean: "bool", JSON: "Any" };

function orNone(type: string): string {
  return type === "Any" ? type : `${type} | None`;
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
