/** One introspection of the whole database, and the part of it that one schema needs. */
import { createHash } from "node:crypto";
import { makeIntrospectionQuery } from "postgraphile/graphile-build-pg/pg-introspection";
import { readWorkflow, type Relation } from "../../kernel/catalogue/access.ts";
import { quoteLiteral, type Database } from "../../kernel/database/database.ts";
import { readVersions } from "../../kernel/catalogue/versions.ts";

/** A row of the catalogue, as `to_json` of it. */
type Row = Readonly<Record<string, unknown>>;

/** The result of pg-introspection's query: rows by kind, and some scalars. */
export interface Introspection extends Surroundings {
  readonly namespaces: readonly Row[];
  readonly classes: readonly Row[];
  readonly attributes: readonly Row[];
  readonly constraints: readonly Row[];
  readonly procs: readonly Row[];
  readonly types: readonly Row[];
  readonly enums: readonly Row[];
  readonly ranges: readonly Row[];
  readonly inherits: readonly Row[];
  readonly depends: readonly Row[];
  readonly descriptions: readonly Row[];
  readonly extensions: readonly Row[];
  readonly database: Row;
  readonly [kind: string]: unknown;
}

export interface PrunedIntrospection {
  readonly text: string;
  /** The schema itself first, then those of tables that its foreign keys reach. */
  readonly schemas: readonly string[];
  /** Tables of the schema whose history is kept, as `schema.table`. */
  readonly versioned: readonly string[];
  /** Tables of the schema that have workflow, as `schema.table`. */
  readonly workflow: readonly string[];
  /** Stays the same as long as no change affects the GraphQL schema, and for copies of the database. */
  readonly fingerprint: string;
  readonly sources: Sources;
}

/** Where the content of a schema comes from, by names of schemas. */
export interface Sources {
  /** All that were read for it. */
  readonly read: ReadonlySet<string>;
  /** Those whose DDL can change the content: the others give types of extensions, or tables that are not shown. */
  readonly shown: ReadonlySet<string>;
  /** Whether something was missing that may be in a schema that was not read. */
  readonly isIncomplete: boolean;
}

/** What of a database does not belong to one schema. */
export interface Surroundings {
  /** Tables whose history is kept, as `schema.table`. */
  readonly versioned: readonly string[];
  /** Tables that have workflow, as `schema.table`. */
  readonly workflow: readonly string[];
}

const COLUMNS_OF_ATTRIBUTES =
  "attrelid, attname, atttypid, attnum, attndims, atttypmod, attnotnull, atthasdef, attidentity, attgenerated, attisdropped";
const COLUMNS_OF_TYPES =
  "oid, typname, typnamespace, typtype, typcategory, typdelim, typrelid, typelem, typarray, typnotnull, typbasetype, typtypmod, typndims, typcollation, typdefault";

/**
 * Parts of pg-introspection's query, each with its replacement. The query returns every function of PostGIS and of Portolan,
 * with its text, and things that no schema needs, such as indexes and storage of values.
 */
const NARROWER: readonly (readonly [string, string])[] = [
  ["attributes as (\n    select *", `attributes as (\n    select ${COLUMNS_OF_ATTRIBUTES}`],
  ["select pg_type.oid as _id, *", `select pg_type.oid as _id, ${COLUMNS_OF_TYPES}`],
  [
    "from pg_catalog.pg_class\n    where ",
    "from pg_catalog.pg_class\n    where relkind in ('r', 'v', 'm', 'f', 'p', 'c') and ",
  ],
  [
    "and prorettype operator(pg_catalog.<>) 2279",
    `and prorettype operator(pg_catalog.<>) 2279
    and pronamespace is distinct from pg_catalog.to_regnamespace('portolan')
    and not exists (select from pg_catalog.pg_depend e
      where e.classid = 'pg_catalog.pg_proc'::regclass and e.objid = pg_proc.oid and e.deptype = 'e')`,
  ],
  [
    "where deptype IN ('a', 'e') and (",
    "where deptype = 'e' and classid in ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_type'::regclass) and (",
  ],
  ["from pg_catalog.pg_roles", "from pg_catalog.pg_roles where false"],
  ["where indrelid in (select classes._id from classes)", "where false"],
  ["where polrelid in (select classes._id from classes)", "where false"],
];

/** Where the query has changed upstream, it is used unchanged. */
const QUERY = NARROWER.reduce((query, [all, few]) => query.replace(all, few), makeIntrospectionQuery());

/** Parts of the query, each with what it becomes where only some schemas are read: `$$` is the list of their numbers. */
const OF_SCHEMAS: readonly (readonly [string, string])[] = [
  [
    "from pg_catalog.pg_class\n    where relkind in",
    "from pg_catalog.pg_class\n    where relnamespace = any ($$) and relkind in",
  ],
  [
    "from pg_catalog.pg_constraint\n    where ",
    "from pg_catalog.pg_constraint\n    where connamespace = any ($$) and ",
  ],
  ["from pg_catalog.pg_proc\n    where ", "from pg_catalog.pg_proc\n    where pronamespace = any ($$) and "],
  ["where (typnamespace in (", "where (typnamespace = any ($$) and typnamespace in ("],
];

export interface IntrospectOptions {
  /** Reads the tables, types and functions of these schemas only. Default: of all. */
  readonly schemas?: Iterable<string>;
  /** Default: they are read. */
  readonly surroundings?: Promise<Surroundings> | Surroundings;
}

export async function introspect(
  database: Database,
  { schemas, surroundings = readSurroundings(database) }: IntrospectOptions = {},
  query = QUERY,
): Promise<Introspection> {
  const [rows, around] = await Promise.all([
    database.ask<{ introspection: string }>(schemas ? narrowed(query, [...schemas]) : query),
    surroundings,
  ]);
  return { ...(JSON.parse(rows[0]!.introspection) as Introspection), ...around };
}

export async function readSurroundings(database: Database): Promise<Surroundings> {
  const [versioned, workflow] = await Promise.all([readVersions(database), readWorkflow(database)]);
  const toName = ({ schema, name }: Relation): string => `${schema}.${name}`;
  return { versioned: versioned.map(toName), workflow: workflow.map(toName) };
}

function narrowed(query: string, schemas: readonly string[]): string {
  const numbers = `array(select oid from pg_catalog.pg_namespace where nspname in (${["", ...schemas].map(quoteLiteral).join()}))`;
  return OF_SCHEMAS.reduce((text, [all, some]) => text.replace(all, () => some.replace("$$", numbers)), query);
}

/** Members that change without any change of the schema, or that are never read. */
const VOLATILE = new Set([
  ...["attlen", "attcacheoff", "attbyval", "attalign", "attstorage", "attcompression", "attcollation", "atthasmissing"],
  ...["attislocal", "attinhcount", "attoptions", "attfdwoptions"],
  ...[
    "typlen",
    "typbyval",
    "typalign",
    "typstorage",
    "typispreferred",
    "typisdefined",
    "typdefaultbin",
    "typsubscript",
  ],
  ...["typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout", "typanalyze"],
  ...[
    "reltuples",
    "relpages",
    "relallvisible",
    "relallfrozen",
    "relfilenode",
    "relfrozenxid",
    "relminmxid",
    "relhasindex",
    "relforcerowsecurity",
  ],
  ...["relowner", "proowner", "typowner", "nspowner", "extowner", "datdba"],
  ...["relacl", "attacl", "proacl", "typacl", "nspacl", "datacl", "datfrozenxid", "datminmxid", "datlastsysoid"],
  ...["prosrc", "probin", "prosqlbody", "procost", "prorows", "attstattarget", "attmissingval", "relhastriggers"],
]);

function strip(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !VOLATILE.has(name)));
}

type Grouped = ReadonlyMap<unknown, readonly Row[]>;

interface Indexes {
  readonly namespaceNames: ReadonlyMap<unknown, string>;
  readonly classById: ReadonlyMap<unknown, Row>;
  readonly typeById: ReadonlyMap<unknown, Row>;
  readonly rangeByType: ReadonlyMap<unknown, Row>;
  readonly classesBySchema: Grouped;
  readonly procsBySchema: Grouped;
  readonly attributesByClass: Grouped;
  readonly constraintsByClass: Grouped;
  /** The constraints of a table, and those of others that refer to it. */
  readonly foreignKeysByClass: Grouped;
  readonly enumsByType: Grouped;
  readonly descriptionsByObject: Grouped;
  readonly fromExtension: ReadonlySet<unknown>;
  readonly typesOfExtensions: ReadonlySet<unknown>;
  /** For classes and types: their places in the order of the query. */
  readonly places: ReadonlyMap<Row, number>;
}

/** The number of pg_type, as `depends` names it. */
const TYPES = "1247";

const indexes = new WeakMap<Introspection, Indexes>();

/** Lookup tables for pruning, made once for all schemas. */
function indexesOf(full: Introspection): Indexes {
  let made = indexes.get(full);
  if (!made) {
    const foreignKeys = full.constraints.filter(({ contype }) => contype === "f");
    const members = full.depends.filter(({ deptype }) => deptype === "e");
    made = {
      namespaceNames: new Map(full.namespaces.map(({ _id, nspname }) => [_id, nspname as string])),
      classById: new Map(full.classes.map((row) => [row["_id"], row])),
      typeById: new Map(full.types.map((row) => [row["_id"], row])),
      rangeByType: new Map(full.ranges.map((row) => [row["rngtypid"], row])),
      classesBySchema: Map.groupBy(full.classes, (row) => row["relnamespace"]),
      procsBySchema: Map.groupBy(full.procs, (row) => row["pronamespace"]),
      attributesByClass: Map.groupBy(full.attributes, (row) => row["attrelid"]),
      constraintsByClass: Map.groupBy(full.constraints, (row) => row["conrelid"]),
      foreignKeysByClass: groupByEach(foreignKeys, ({ conrelid, confrelid }) => [conrelid, confrelid]),
      enumsByType: Map.groupBy(full.enums, (row) => row["enumtypid"]),
      descriptionsByObject: Map.groupBy(full.descriptions, (row) => row["objoid"]),
      places: new Map([...full.classes, ...full.types].map((row, place) => [row, place])),
      fromExtension: new Set(members.filter(({ classid }) => classid !== TYPES).map(({ objid }) => objid)),
      typesOfExtensions: new Set(members.filter(({ classid }) => classid === TYPES).map(({ objid }) => objid)),
    };
    indexes.set(full, made);
  }
  return made;
}

function groupByEach(rows: readonly Row[], keysOf: (row: Row) => readonly unknown[]): Grouped {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
  return groups;
}

const RELATION_KINDS = ["r", "v", "m", "f", "p"];
/** Pseudo-types that a function may return; a function with any other is not shown. */
const VOID = "2278";
const RECORD = "2249";
/** The number that stands for none. */
const NOTHING = "0";

/** The content of one schema, by numbers. */
interface Selection {
  readonly classes: ReadonlySet<unknown>;
  readonly types: ReadonlySet<unknown>;
  readonly procs: readonly Row[];
  /** Other schemas, of tables at the other end of foreign keys. */
  readonly reached: ReadonlySet<string>;
  readonly sources: Sources;
}

/** The schema's own tables and functions, the tables that foreign keys reach, and every type that they use. */
function select(full: Introspection, namespace: unknown, isExposed: (schema: string) => boolean): Selection {
  const { namespaceNames, classById, typeById, rangeByType, attributesByClass, fromExtension, ...grouped } =
    indexesOf(full);
  const { typesOfExtensions } = grouped;
  const classes = new Set<unknown>();
  const types = new Set<unknown>();
  const read = new Set<unknown>([namespace]);
  const shown = new Set<unknown>([namespace]);
  let isIncomplete = false;
  const addType = (id: unknown): void => {
    const type = typeById.get(id);
    if (!type && id !== null && id !== undefined && id !== NOTHING) isIncomplete = true;
    if (!type || types.has(id)) return;
    types.add(id);
    read.add(type["typnamespace"]);
    if (!typesOfExtensions.has(id) && !typesOfExtensions.has(type["typelem"])) shown.add(type["typnamespace"]);
    for (const member of ["typelem", "typarray", "typbasetype"]) addType(type[member]);
    addType(rangeByType.get(id)?.["rngsubtype"]);
    if (type["typtype"] === "c") addClass(type["typrelid"]);
  };
  const addClass = (id: unknown): void => {
    const row = classById.get(id);
    if (!row || classes.has(id)) return;
    classes.add(id);
    addType(row["reltype"]);
    for (const { atttypid } of attributesByClass.get(id) ?? []) addType(atttypid);
  };

  for (const { _id, relkind } of grouped.classesBySchema.get(namespace) ?? [])
    if (RELATION_KINDS.includes(relkind as string) && !fromExtension.has(_id) && attributesByClass.has(_id))
      addClass(_id);
  const own = new Set(classes);
  const reached = new Set<string>();
  const foreignKeys = [...own].flatMap((id) => grouped.foreignKeysByClass.get(id) ?? []);
  for (const { conrelid, confrelid } of foreignKeys)
    for (const id of [conrelid, confrelid]) {
      const row = classById.get(id);
      if (row) read.add(row["relnamespace"]);
      else isIncomplete = true;
      const name = namespaceNames.get(row?.["relnamespace"]);
      if (own.has(id) || !row || name === undefined || !isExposed(name) || fromExtension.has(id)) continue;
      addClass(id);
      reached.add(name);
      shown.add(row["relnamespace"]);
    }
  const procs = procsOf(full, namespace);
  for (const proc of procs) for (const id of [proc["prorettype"], ...argumentsOf(proc)]) addType(id);
  const toNames = (ids: ReadonlySet<unknown>): ReadonlySet<string> =>
    new Set([...ids].flatMap((id) => namespaceNames.get(id) ?? []).filter((name) => name !== "pg_catalog"));
  const sources = { read: toNames(read), shown: toNames(shown), isIncomplete };
  return { classes, types, procs, reached, sources };
}

/** The functions of a schema all of whose types can be shown. */
function procsOf(full: Introspection, namespace: unknown): readonly Row[] {
  const { typeById, fromExtension, procsBySchema } = indexesOf(full);
  const isConcrete = (id: unknown): boolean => typeById.get(id)?.["typtype"] !== "p";
  return (procsBySchema.get(namespace) ?? []).filter((proc) => {
    const { _id, prokind, prorettype } = proc;
    return (
      prokind === "f" &&
      !fromExtension.has(_id) &&
      (prorettype === VOID || prorettype === RECORD || isConcrete(prorettype)) &&
      argumentsOf(proc).every(isConcrete)
    );
  });
}

function argumentsOf({ proargtypes, proallargtypes }: Row): unknown[] {
  return [...toOids(proargtypes), ...toOids(proallargtypes)];
}

/**
 * The content of the GraphQL schema of one schema: its tables, types and functions; the tables at the other end of its
 * foreign keys where `isExposed` allows it; and every type that they use. Undefined when there is nothing to show.
 */
export function prune(
  full: Introspection,
  schema: string,
  isExposed: (schema: string) => boolean,
): PrunedIntrospection | undefined {
  const namespace = full.namespaces.find(({ nspname }) => nspname === schema);
  const catalogue = full.namespaces.find(({ nspname }) => nspname === "pg_catalog");
  if (!namespace || !catalogue) return undefined;
  const selection = select(full, namespace["_id"], isExposed);
  if (selection.classes.size === 0 && selection.procs.length === 0) return undefined;
  const pruned = {
    ...cut(full, selection, [namespace["_id"], catalogue["_id"]]),
    versioned: full.versioned.filter((name) => name.startsWith(`${schema}.`)),
    workflow: full.workflow.filter((name) => name.startsWith(`${schema}.`)),
  };
  const hash = createHash("sha256").update(schema);
  const members = Object.entries(pruned).map(([kind, value]) => {
    const member = `${JSON.stringify(kind)}:${textOf(value)}`;
    if (!NOT_IN_FINGERPRINT.has(kind)) hash.update(member);
    return member;
  });
  return {
    text: `{${members.join(",")}}`,
    versioned: pruned.versioned,
    workflow: pruned.workflow,
    schemas: [schema, ...[...selection.reached].sort()],
    sources: selection.sources,
    fingerprint: hash.digest("base64url"),
  };
}

const NOT_IN_FINGERPRINT: ReadonlySet<string> = new Set(["database", "current_user"]);

/** Rows as JSON; the same rows of types are used for schema after schema. */
const texts = new WeakMap<Row, string>();

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let text = texts.get(value as Row);
  if (text === undefined) texts.set(value as Row, (text = JSON.stringify(strip(value as Row))));
  return text;
}

/** The rows about the selected things. `schemas`: numbers of the schema itself and of pg_catalog. */
function cut(
  full: Introspection,
  { classes, types, procs }: Selection,
  schemas: readonly [own: unknown, catalogue: unknown],
): Introspection {
  const { classById, typeById, places, ...grouped } = indexesOf(full);
  const inherits = full.inherits.filter(({ inhrelid, inhparent }) => classes.has(inhrelid) && classes.has(inhparent));
  const hasParent = new Set(inherits.map(({ inhrelid }) => inhrelid));
  const kept = (ids: ReadonlySet<unknown>, byId: ReadonlyMap<unknown, Row>): Row[] =>
    [...ids].map((id) => byId.get(id)!).sort((one, other) => places.get(one)! - places.get(other)!);
  const keptTypes = kept(types, typeById);
  const keptClasses = kept(classes, classById);
  const namespaces = new Set<unknown>([
    ...schemas,
    ...keptTypes.map(({ typnamespace }) => typnamespace),
    ...keptClasses.map(({ relnamespace }) => relnamespace),
    ...full.extensions.map(({ extnamespace }) => extnamespace),
  ]);
  const of = (ids: Iterable<unknown>, groups: Grouped): Row[] => [...ids].flatMap((id) => groups.get(id) ?? []);
  const idsOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ _id }) => _id);
  const constraints = of(idsOf(keptClasses), grouped.constraintsByClass).filter(
    ({ confrelid }) => confrelid === "0" || !confrelid || classes.has(confrelid),
  );
  const described = new Set([schemas[0], ...classes, ...types, ...idsOf(constraints), ...idsOf(procs)]);
  return {
    ...full,
    namespaces: full.namespaces.filter(({ _id }) => namespaces.has(_id)),
    // a partition without its parent is shown as a table here
    classes: keptClasses.map((row) =>
      row["relispartition"] === true && !hasParent.has(row["_id"]) ? { ...row, relispartition: false } : row,
    ),
    attributes: of(idsOf(keptClasses), grouped.attributesByClass),
    constraints,
    procs,
    types: keptTypes,
    enums: of(idsOf(keptTypes), grouped.enumsByType),
    ranges: full.ranges.filter(({ rngtypid }) => types.has(rngtypid)),
    inherits,
    descriptions: of(described, grouped.descriptionsByObject),
    ...NOT_SHOWN,
  };
}

/** Kinds of rows that the schema does not depend on. */
const NOT_SHOWN = { depends: [], indexes: [], policies: [], roles: [], auth_members: [], languages: [], am: [] };

/** An oidvector or oid[] as JSON: a list, or the text of one. */
function toOids(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return typeof value === "string"
    ? value
        .replace(/[{}]/g, "")
        .split(/[\s,]+/)
        .filter(Boolean)
    : [];
}
