/** One look at the catalogue for the whole database, and what of it one schema needs. */
import { createHash } from "node:crypto";
import { makeIntrospectionQuery } from "postgraphile/graphile-build-pg/pg-introspection";
import { readWorkflow, type Relation } from "../kernel/catalogue/access.ts";
import type { Database } from "../kernel/database/database.ts";
import { readVersions } from "../kernel/catalogue/versions.ts";

/** A row of the catalogue, as `to_json` of it. */
type Row = Readonly<Record<string, unknown>>;

/** All that pg-introspection's query gives: rows by kind, and some scalars. */
export interface Introspection {
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
  /** Tables whose history is kept, as `schema.table`. */
  readonly versioned: readonly string[];
  /** Tables that have workflow, as `schema.table`. */
  readonly workflow: readonly string[];
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
  /** The same as long as nothing changed that the GraphQL schema could show. */
  readonly fingerprint: string;
}

export async function introspect(database: Database): Promise<Introspection> {
  const { rows } = await database.pool.query<{ introspection: string }>(makeIntrospectionQuery());
  const [versions, workflow] = await Promise.all([readVersions(database), readWorkflow(database)]);
  const toName = ({ schema, name }: Relation): string => `${schema}.${name}`;
  return {
    ...(JSON.parse(rows[0]!.introspection) as Introspection),
    versioned: versions.map(toName),
    workflow: workflow.map(toName),
  };
}

/** Members that change without any change of the schema, or that nothing reads. */
const VOLATILE = new Set([
  ...[
    "reltuples",
    "relpages",
    "relallvisible",
    "relallfrozen",
    "relfilenode",
    "relfrozenxid",
    "relminmxid",
    "relhasindex",
  ],
  ...["relacl", "attacl", "proacl", "typacl", "nspacl", "datacl", "datfrozenxid", "datminmxid", "datlastsysoid"],
  ...["prosrc", "probin", "prosqlbody", "procost", "prorows", "attstattarget", "attmissingval", "relhastriggers"],
]);

function strip(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !VOLATILE.has(name)));
}

interface Indexes {
  readonly namespaceNames: ReadonlyMap<unknown, string>;
  readonly classById: ReadonlyMap<unknown, Row>;
  readonly typeById: ReadonlyMap<unknown, Row>;
  readonly rangeByType: ReadonlyMap<unknown, Row>;
  readonly attributesByClass: ReadonlyMap<unknown, readonly Row[]>;
  readonly fromExtension: ReadonlySet<unknown>;
}

const indexes = new WeakMap<Introspection, Indexes>();

/** What pruning looks up, made once for all schemas. */
function indexesOf(full: Introspection): Indexes {
  let made = indexes.get(full);
  if (!made) {
    made = {
      namespaceNames: new Map(full.namespaces.map(({ _id, nspname }) => [_id, nspname as string])),
      classById: new Map(full.classes.map((row) => [row["_id"], row])),
      typeById: new Map(full.types.map((row) => [row["_id"], row])),
      rangeByType: new Map(full.ranges.map((row) => [row["rngtypid"], row])),
      attributesByClass: Map.groupBy(full.attributes, (row) => row["attrelid"]),
      fromExtension: new Set(full.depends.filter(({ deptype }) => deptype === "e").map(({ objid }) => objid)),
    };
    indexes.set(full, made);
  }
  return made;
}

const RELATION_KINDS = ["r", "v", "m", "f", "p"];
/** Pseudo-types that a function may return; no other may stand in a function that is shown. */
const VOID = "2278";
const RECORD = "2249";

/**
 * What the GraphQL schema of one schema is made of: its tables, types and functions; the tables at the other end of its
 * foreign keys where `isExposed` says so; and every type that they use. Undefined when there is nothing to show.
 */
export function prune(
  full: Introspection,
  schema: string,
  isExposed: (schema: string) => boolean,
): PrunedIntrospection | undefined {
  const namespace = full.namespaces.find(({ nspname }) => nspname === schema);
  const catalogue = full.namespaces.find(({ nspname }) => nspname === "pg_catalog");
  if (!namespace || !catalogue) return undefined;
  const { namespaceNames, classById, typeById, rangeByType, attributesByClass, fromExtension } = indexesOf(full);

  const isOwn = (row: Row) =>
    row["relnamespace"] === namespace["_id"] && !fromExtension.has(row["_id"]) && attributesByClass.has(row["_id"]);
  const isRelation = (row: Row | undefined) => RELATION_KINDS.includes(row?.["relkind"] as string);
  const isConcrete = (id: unknown): boolean => typeById.get(id)?.["typtype"] !== "p";
  const procs = full.procs.filter(
    ({ pronamespace, _id, prokind, prorettype, proargtypes, proallargtypes }) =>
      pronamespace === namespace["_id"] &&
      prokind === "f" &&
      !fromExtension.has(_id) &&
      (prorettype === VOID || prorettype === RECORD || isConcrete(prorettype)) &&
      [...toOids(proargtypes), ...toOids(proallargtypes)].every(isConcrete),
  );
  const classes = new Set<unknown>();
  const types = new Set<unknown>();
  const addType = (id: unknown): void => {
    const type = typeById.get(id);
    if (!type || types.has(id)) return;
    types.add(id);
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

  for (const row of full.classes) if (isOwn(row) && isRelation(row)) addClass(row["_id"]);
  const own = new Set(classes);
  if (!own.size && procs.length === 0) return undefined;
  const reached = new Set<string>();
  for (const { contype, conrelid, confrelid } of full.constraints) {
    if (contype !== "f" || (!own.has(conrelid) && !own.has(confrelid))) continue;
    for (const id of [conrelid, confrelid]) {
      const row = classById.get(id);
      const name = namespaceNames.get(row?.["relnamespace"]);
      if (own.has(id) || !row || name === undefined || !isExposed(name) || fromExtension.has(id)) continue;
      addClass(id);
      reached.add(name);
    }
  }
  for (const { prorettype, proargtypes, proallargtypes } of procs)
    for (const id of [prorettype, ...toOids(proargtypes), ...toOids(proallargtypes)]) addType(id);

  const inClasses = (id: unknown): boolean => classes.has(id);
  const inherits = full.inherits.filter(({ inhrelid, inhparent }) => inClasses(inhrelid) && inClasses(inhparent));
  const hasParent = new Set(inherits.map(({ inhrelid }) => inhrelid));
  const keptTypes = full.types.filter(({ _id }) => types.has(_id));
  const keptClasses = full.classes
    .filter(({ _id }) => inClasses(_id))
    // a partition whose parent is not here stands for itself
    .map((row) =>
      row["relispartition"] === true && !hasParent.has(row["_id"]) ? { ...row, relispartition: false } : row,
    );
  const namespaces = new Set<unknown>([
    ...[namespace["_id"], catalogue["_id"]],
    ...keptTypes.map(({ typnamespace }) => typnamespace),
    ...keptClasses.map(({ relnamespace }) => relnamespace),
    ...full.extensions.map(({ extnamespace }) => extnamespace),
  ]);
  const constraints = full.constraints.filter(
    ({ conrelid, confrelid }) => inClasses(conrelid) && (confrelid === "0" || !confrelid || inClasses(confrelid)),
  );
  const described = new Set<unknown>([
    ...[namespace["_id"], ...classes, ...types],
    ...constraints.map(({ _id }) => _id),
    ...procs.map(({ _id }) => _id),
  ]);
  const pruned: Introspection = {
    ...full,
    database: strip(full.database),
    namespaces: full.namespaces.filter(({ _id }) => namespaces.has(_id)).map(strip),
    classes: keptClasses.map(strip),
    attributes: full.attributes.filter(({ attrelid }) => inClasses(attrelid)).map(strip),
    constraints,
    procs: procs.map(strip),
    types: keptTypes.map(strip),
    enums: full.enums.filter(({ enumtypid }) => types.has(enumtypid)),
    ranges: full.ranges.filter(({ rngtypid }) => types.has(rngtypid)),
    inherits,
    descriptions: full.descriptions.filter(({ objoid }) => described.has(objoid)),
    depends: [],
    indexes: [],
    policies: [],
    roles: [],
    auth_members: [],
    languages: [],
    am: [],
    versioned: full.versioned.filter((name) => name.startsWith(`${schema}.`)),
    workflow: full.workflow.filter((name) => name.startsWith(`${schema}.`)),
  };
  const text = JSON.stringify(pruned);
  return {
    text,
    versioned: pruned.versioned,
    workflow: pruned.workflow,
    schemas: [schema, ...[...reached].sort()],
    fingerprint: createHash("sha256").update(text).digest("base64url"),
  };
}

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
