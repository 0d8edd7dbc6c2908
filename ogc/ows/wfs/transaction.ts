/**
 * Transaction (OGC 09-025r2 §15, 04-094 §11): Insert, Update, Replace and Delete as the caller's role. Either all are
 * done or none.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { filterToSql } from "../../../server/filter/toSql.ts";
import { badInput, GatewayError } from "../../../server/ground/errors.ts";
import type { Reached, Transaction } from "../../../server/kernel/database/database.ts";
import type { Method } from "../../../server/kernel/http/routes.ts";
import type { XmlElement } from "../../../server/types/xml.ts";
import { reading, writing } from "../../collections/reach.ts";
import { CollectionNotFound } from "../../collections/access.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import type { Crs } from "../../crs/crs.ts";
import { dropAbsent, insertAll, isKey, keysOf, refuseColumn, rowsOf } from "../../editing/inTransaction.ts";
import type { Change } from "../../editing/featureBody.ts";
import { preconditionFailed, readIfMatch, versionCondition } from "../../editing/preconditions.ts";
import { writeFailure } from "../../editing/writeFailure.ts";
import { writeRights, type WriteRights } from "../../editing/writeRights.ts";
import {
  countRows,
  deleteRows,
  groupRows,
  noneOf,
  TARGET,
  updateRows,
  valueSql,
  type Assignments,
  type Attempted,
} from "../../editing/writeSql.ts";
import { sendText } from "../../exchange/exchange.ts";
import { withIsoIntervals } from "../../features/page/readPage.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { Xml, xml, xmlDocument } from "../xml.ts";
import { conditionOf, propertyNamed } from "./filter.ts";
import { DIALECTS, EARLIEST, fromXmlName, keyOfId, toXmlName, typeNamed } from "./names.ts";
import { textFor } from "./propertyText.ts";
import { crsNamedIn } from "./systems.ts";
import { valueIn, type Action, type GivenFeature, type PropertyValue } from "./transactionReader.ts";

/** The result of an action. */
interface Done {
  readonly kind: "inserted" | "updated" | "replaced" | "deleted";
  readonly handle: string | undefined;
  /** The ids of features, as in XML. */
  readonly ids: readonly string[];
}

/** A prepared action, which only PostgreSQL can still refuse. */
interface Ready {
  readonly handle: string | undefined;
  readonly attempted: Attempted;
  readonly reach: readonly Reached[];
  run(transaction: Transaction): Promise<Done>;
}

export async function transaction(exchange: OwsExchange): Promise<void> {
  const { database, identity, context, actions = [], body } = exchange;
  if (body?.attributes.has("lockId"))
    throw exception("InvalidParameterValue", "LOCKID: locks are not supported", "lockId");
  const ready: Ready[] = [];
  for (const action of actions) for (const each of await prepare(exchange, action)) ready.push(each);
  const columns = ready.flatMap(({ attempted }) => attempted.collection.columns);
  const options = {
    ...withIsoIntervals(context, { columns }),
    reach: ready.flatMap(({ reach }) => reach),
    basis: undefined,
    readOnly: false,
  };
  let current: Ready | undefined;
  try {
    const done = await database.withIdentity(identity, options, async (running) => {
      const all: Done[] = [];
      for (const each of ready) {
        current = each;
        all.push(await each.run(running));
      }
      return all;
    });
    answer(exchange, done);
  } catch (error) {
    // an error at the commit may be about any action
    throw asException(current ? await writeFailure(error, exchange, current.attempted) : error, current);
  }
}

/** Turns an error about a value into one of WFS 2.0 (OGC 09-025r2 table 3), with the action. */
function asException(error: unknown, action: Pick<Ready, "handle"> | undefined): unknown {
  if (!(error instanceof GatewayError) || error.members["exceptionCode"] !== undefined) return error;
  const codes = { BAD_USER_INPUT: "InvalidValue", CONFLICT: "OperationProcessingFailed", FORBIDDEN: "OperationProcessingFailed" } as const; // oxfmt-ignore
  const code = Object.hasOwn(codes, error.code) ? codes[error.code as keyof typeof codes] : undefined;
  if (code === undefined) return error;
  return new GatewayError(error.code, error.message, {
    cause: error,
    sqlstate: error.sqlstate,
    members: { ...error.members, exceptionCode: code, locator: action?.handle },
  });
}

// Actions -----------------------------------------------------------------------------------------

async function prepare(exchange: OwsExchange, action: Action): Promise<readonly Ready[]> {
  const { element, kind } = action;
  const handle = element.attributes.get("handle") ?? kind;
  try {
    switch (kind) {
      case "Insert":
        return await prepareInsert(exchange, action);
      case "Update":
        return [await prepareUpdate(exchange, element)];
      case "Replace":
        return [await prepareReplace(exchange, action)];
      case "Delete":
        return [await prepareDelete(exchange, element)];
      case "Native":
        if (element.attributes.get("safeToIgnore") === "true") return [];
        throw exception("InvalidParameterValue", "Native: vendor actions are not supported", "Native");
    }
  } catch (error) {
    // a feature of an unknown type is an invalid value of its action (OGC 09-025r2 table 3)
    if (error instanceof CollectionNotFound && HOLDS_FEATURES.has(kind))
      throw new CollectionNotFound(error.collectionId, { exceptionCode: "InvalidValue", locator: handle });
    throw asException(error, { handle });
  }
}

/** Actions that contain features. */
const HOLDS_FEATURES: ReadonlySet<Action["kind"]> = new Set(["Insert", "Replace"]);

interface Target {
  readonly collection: Collection;
  readonly rights: WriteRights;
}

/** A type that the caller may write with a method. */
async function targetOf(exchange: OwsExchange, type: string, method: Method): Promise<Target> {
  const { collections } = await layersNamed(exchange, [type]);
  const collection = collections[0]!;
  const rights = await writeRights(exchange, collection);
  try {
    rights.check(method, []);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "METHOD_NOT_ALLOWED") throw error;
    throw exception("InvalidParameterValue", error.message, "typeName");
  }
  return { collection, rights };
}

/** Successive features of one type in which each property has its geometries in one system. */
interface Run {
  readonly type: string;
  /** The names of systems by property. */
  readonly srsNames: ReadonlyMap<string, string | undefined>;
  readonly features: readonly GivenFeature[];
}

async function prepareInsert(exchange: OwsExchange, { element, features }: Action): Promise<readonly Ready[]> {
  if (features.length === 0) throw exception("MissingParameterValue", "Insert: has no feature", "Insert");
  const idgen = element.attributes.get("idgen") ?? "GenerateNew";
  if (idgen !== "GenerateNew" && idgen !== "UseExisting")
    throw exception("InvalidParameterValue", `idgen: expected GenerateNew or UseExisting`, "idgen");
  const ready: Ready[] = [];
  for (const { type, srsNames, features: own } of runsOf(exchange, features)) {
    const { collection, rights } = await targetOf(exchange, type, "POST");
    const crs = systemNamed(exchange, element, collection, srsNames.get(collection.geometry?.name ?? ""));
    const changes = own.values().map((feature) => {
      const change = changeOf(exchange, { collection, rights, element, isTaken: () => true }, feature);
      if (idgen === "UseExisting") useId(collection, feature, change);
      return change;
    });
    const rows = groupRows(changes, ({ texts }) => dropAbsent(texts, collection, rights));
    const attempted = { collection, crs, rows, isList: own.length > 1 };
    ready.push({
      handle: element.attributes.get("handle"),
      attempted,
      reach: reachOf(exchange, collection, "POST"),
      run: async (running) => done("inserted", element, collection, await insertAll(running, attempted)),
    });
  }
  return ready;
}

function runsOf({ namespace }: OwsExchange, features: readonly GivenFeature[]): readonly Run[] {
  const runs: { type: string; srsNames: Map<string, string | undefined>; features: GivenFeature[] }[] = [];
  for (const feature of features) {
    const type = typeOf(feature, namespace);
    const srsNames = srsNamesOf(feature);
    let run = runs.at(-1);
    const isAsBefore = ([name, srsName]: (typeof srsNames)[number]): boolean =>
      !run!.srsNames.has(name) || run!.srsNames.get(name) === srsName;
    const goesOn = run?.type === type && srsNames.every(isAsBefore);
    if (!run || !goesOn) runs.push((run = { type, srsNames: new Map(), features: [] }));
    for (const [name, srsName] of srsNames) run.srsNames.set(name, srsName);
    run.features.push(feature);
  }
  return runs;
}

/** The names of the systems of a feature's geometries, by property. */
function srsNamesOf({ names, values }: GivenFeature): readonly (readonly [string, string | undefined])[] {
  return names.flatMap((name, index) => {
    const value = values[index]!;
    return value !== null && typeof value === "object" ? [[fromXmlName(name), value.srsName] as const] : [];
  });
}

function typeOf({ name, namespace }: GivenFeature, own: string): string {
  if (namespace !== "" && namespace !== own) throw new CollectionNotFound(name);
  return fromXmlName(name);
}

/** Takes the key of a feature from its id. */
function useId(collection: Collection, { gmlId = "" }: GivenFeature, { texts }: Change): void {
  const key = keyOfId(collection, gmlId);
  const [only, ...more] = collection.key;
  if (key === undefined || !only || more.length > 0)
    badInput(`idgen: ${JSON.stringify(gmlId.slice(0, 200))} is not an id of ${collection.id}`);
  else texts.set(only, key);
}

/** The features that an Update, Replace or Delete selects. */
interface Chosen {
  readonly condition: SQL;
  readonly isFiltered: boolean;
}

async function chosenBy(exchange: OwsExchange, collection: Collection, element: XmlElement): Promise<Chosen> {
  const filter = element.children.find(({ name }) => name === "Filter");
  // its geometries have another order of axes than those of later versions
  if (exchange.version === EARLIEST && filter?.children.some(({ name }) => name !== "FeatureId") === true)
    throw exception(
      "InvalidParameterValue",
      `Filter: version ${EARLIEST} selects features only by FeatureId`,
      "Filter",
    );
  const condition = await conditionOf(exchange, collection, { filter, ids: undefined });
  return { condition: condition ? filterToSql(condition, TARGET) : sql.true, isFiltered: filter !== undefined };
}

function typeNameOf({ namespace }: OwsExchange, element: XmlElement): string {
  const text = element.attributes.get("typeName") ?? "";
  if (text === "") throw exception("MissingParameterValue", `${element.name}: has no typeName`, "typeName");
  return typeNamed(text, (prefix) => element.namespaceOf(prefix), namespace);
}

async function prepareUpdate(exchange: OwsExchange, element: XmlElement): Promise<Ready> {
  const { collection, rights } = await targetOf(exchange, typeNameOf(exchange, element), "PATCH");
  const chosen = await chosenBy(exchange, collection, element);
  const properties = element.children.filter(({ name }) => name === "Property");
  if (properties.length === 0) throw exception("MissingParameterValue", "Update: has no Property", "Property");
  const texts: Change["texts"] = new Map();
  let crs: Crs | undefined;
  for (const property of properties) {
    const reference = property.children.find(({ name }) => name === "ValueReference" || name === "Name");
    if (!reference) throw exception("MissingParameterValue", "Property: has no name", "Property");
    const name = propertyNamed(collection, reference.text.trim(), (prefix) => reference.namespaceOf(prefix));
    const column = columnNamed(collection, name);
    if (rights.isReadOnly(column) && !isKey(collection, column)) continue;
    const given = property.children.find((child) => child.name === "Value");
    const isRemoved = !given || reference.attributes.get("action") === "remove";
    const value = isRemoved ? null : valueIn(given);
    const own = systemOf(exchange, element, collection, value);
    if (column.number === collection.geometry?.number) crs = own;
    texts.set(column, textFor(collection, column, value, own));
  }
  crs ??= systemNamed(exchange, element, collection, undefined);
  const given = [...texts.keys()].filter((column) => !isKey(collection, column));
  const assigned = given.filter((column) => rights.mayUpdate(column));
  const kept = [...texts.keys()].filter((column) => !assigned.includes(column));
  const values = (columns: readonly CollectionColumn[]) =>
    columns.map((column) => [column, valueSql(collection, column, texts.get(column) ?? null, crs)] as const);
  const assignments: Assignments = new Map(values(assigned));
  return {
    handle: element.attributes.get("handle"),
    attempted: { collection, crs, rows: groupRows([{ texts, json: () => undefined }]), isList: false },
    reach: reachOf(exchange, collection, "PATCH", chosen),
    run: async (running) => {
      const keys = await writeChosen(running, exchange, collection, {
        ...chosen,
        keeps: values(kept),
        write: (condition) => (assignments.size > 0 ? updateRows(collection, assignments, condition) : undefined),
      });
      return done("updated", element, collection, keys);
    },
  };
}

async function prepareReplace(exchange: OwsExchange, { element, features }: Action): Promise<Ready> {
  const [feature, ...more] = features;
  if (!feature || more.length > 0)
    throw exception("InvalidParameterValue", "Replace: must have one feature", "Replace");
  const { collection, rights } = await targetOf(exchange, typeOf(feature, exchange.namespace), "PUT");
  const chosen = await chosenBy(exchange, collection, element);
  if (!chosen.isFiltered) throw exception("MissingParameterValue", "Replace: has no Filter", "Filter");
  const srsNames = new Map(srsNamesOf(feature));
  const crs = systemNamed(exchange, element, collection, srsNames.get(collection.geometry?.name ?? ""));
  const isTaken = (column: CollectionColumn): boolean => !isKey(collection, column);
  const change = changeOf(exchange, { collection, rights, element, isTaken }, feature);
  const refused = [...change.texts.keys()].filter((column) => !rights.mayUpdate(column));
  const assignments: Assignments = new Map(
    collection.columns
      .filter((column) => isTaken(column) && !rights.isReadOnly(column) && rights.mayUpdate(column))
      .map((column) => {
        const text = change.texts.get(column);
        return [column, text === undefined ? undefined : valueSql(collection, column, text, crs)] as const;
      }),
  );
  const keeps = refused.map((column) => [column, valueSql(collection, column, change.texts.get(column) ?? null, crs)] as const); // oxfmt-ignore
  return {
    handle: element.attributes.get("handle"),
    attempted: { collection, crs, rows: groupRows([change]), isList: false },
    reach: reachOf(exchange, collection, "PUT", chosen),
    run: async (running) => {
      const keys = await writeChosen(running, exchange, collection, {
        ...chosen,
        keeps,
        isOne: true,
        write: (condition) => updateRows(collection, assignments, condition),
      });
      return done("replaced", element, collection, keys);
    },
  };
}

async function prepareDelete(exchange: OwsExchange, element: XmlElement): Promise<Ready> {
  const { collection } = await targetOf(exchange, typeNameOf(exchange, element), "DELETE");
  const chosen = await chosenBy(exchange, collection, element);
  if (!chosen.isFiltered) throw exception("MissingParameterValue", "Delete: has no Filter", "Filter");
  return {
    handle: element.attributes.get("handle"),
    attempted: { collection, crs: collection.crs[0]!, rows: [], isList: false },
    reach: reachOf(exchange, collection, "DELETE", chosen),
    run: async (running) => {
      const write = (condition: SQL): SQL => deleteRows(collection, condition);
      return done(
        "deleted",
        element,
        collection,
        await writeChosen(running, exchange, collection, { ...chosen, write }),
      );
    },
  };
}

// Features ----------------------------------------------------------------------------------------

interface Taking extends Target {
  readonly element: XmlElement;
  isTaken(column: CollectionColumn): boolean;
}

function changeOf(exchange: OwsExchange, taking: Taking, { names, values }: GivenFeature): Change {
  const { collection, rights, element } = taking;
  const texts: Change["texts"] = new Map();
  for (const [index, name] of names.entries()) {
    const column = columnNamed(collection, fromXmlName(name));
    if (rights.isReadOnly(column) || !taking.isTaken(column)) continue;
    const value = values[index]!;
    texts.set(column, textFor(collection, column, value, systemOf(exchange, element, collection, value)));
  }
  return { texts, json: () => undefined };
}

function columnNamed({ columns, id }: Collection, name: string): CollectionColumn {
  return columns.find((column) => column.name === name) ?? badInput(`${id} has no property ${JSON.stringify(name)}`);
}

function systemOf(exchange: OwsExchange, element: XmlElement, collection: Collection, value: PropertyValue): Crs {
  return systemNamed(
    exchange,
    element,
    collection,
    value !== null && typeof value === "object" ? value.srsName : undefined,
  );
}

/**
 * The system of a geometry: its own, else that of its action, else that of the transaction, else the storage system.
 */
function systemNamed(
  { body, version }: OwsExchange,
  element: XmlElement,
  collection: Collection,
  name: string | undefined,
): Crs {
  const outer = element.attributes.get("srsName") ?? body?.attributes.get("srsName");
  const crs = crsNamedIn(name ?? outer, collection, "srsName");
  // GML 2 has x first in every system, whatever form its name has
  return version === EARLIEST ? { ...crs, flipped: false } : crs;
}

function reachOf(
  { context }: OwsExchange,
  collection: Collection,
  method: Method,
  { isFiltered } = { isFiltered: false },
): readonly Reached[] {
  return [writing(context, collection, method), reading(context, collection, isFiltered)].flatMap(
    ({ reach }) => (reach as readonly Reached[] | undefined) ?? [],
  );
}

// Rows --------------------------------------------------------------------------------------------

interface Writing extends Pick<Chosen, "condition"> {
  /** Columns that may not be changed. Their values must equal the present ones. */
  readonly keeps?: readonly (readonly [CollectionColumn, SQL])[];
  /** Whether more than one feature is an error. */
  readonly isOne?: boolean;
  /** The statement; undefined where nothing is to be written. */
  write(condition: SQL): SQL | undefined;
}

/**
 * Writes the chosen features that the caller sees, or none of them where the caller may not write one. A feature that
 * somebody else deletes or changes meanwhile, so that the filter does not mean it any more, is not one of them. Returns
 * their keys. Throws `FORBIDDEN`, and `PRECONDITION_FAILED` where one has another version than `If-Match` says.
 */
async function writeChosen(
  running: Transaction,
  exchange: OwsExchange,
  collection: Collection,
  { condition, keeps = [], isOne = false, write }: Writing,
): Promise<readonly string[]> {
  const { request, config } = exchange;
  const version = versionCondition(readIfMatch(request, config.requireIfMatch), collection, TARGET);
  const query = countRows(collection, condition, version, keeps);
  const [row] = await rowsOf<{ seen: number; met: number; keeps: readonly boolean[] }>(running, query);
  const { seen = 0, met = 0, keeps: same = [] } = row ?? {};
  if (met < seen) preconditionFailed();
  if (isOne && seen > 1) badInput("Replace: its filter selects more than one feature");
  const changed = keeps.find((_, index) => same[index] === false)?.[0];
  if (changed && isKey(collection, changed)) badInput(`${changed.name}: the key of a feature cannot be changed`);
  if (changed) refuseColumn(changed);
  const statement = write(version ? sql`(${condition}) and ${version}` : condition);
  if (seen === 0 || !statement) return [];
  const keys = await keysOf(running, statement);
  if (keys.length < seen) {
    const others = sql`(${condition}) and ${noneOf(collection, keys)}`;
    const [left] = await rowsOf<{ seen: number; met: number }>(running, countRows(collection, others, version, []));
    if (left && left.met < left.seen) preconditionFailed();
    if (left && left.seen > 0) throw new GatewayError("FORBIDDEN", "The account may not write all of these features");
  }
  return keys;
}

function done(kind: Done["kind"], element: XmlElement, { id }: Collection, keys: readonly string[]): Done {
  return { kind, handle: element.attributes.get("handle"), ids: keys.map((key) => toXmlName(`${id}.${key}`)) };
}

// Answer ------------------------------------------------------------------------------------------

function answer(exchange: OwsExchange, all: readonly Done[]): void {
  const { version } = exchange;
  if (version === EARLIEST) return answerEarliest(exchange, all);
  const { wfs, wfsSchema } = DIALECTS[version]!;
  const isOld = version === "1.1.0";
  const ids = isOld ? "http://www.opengis.net/ogc" : "http://www.opengis.net/fes/2.0";
  const total = (kind: Done["kind"]): number =>
    all.reduce((sum, each) => sum + (each.kind === kind ? each.ids.length : 0), 0);
  const featureId = (id: string): Xml =>
    isOld ? xml`<ids:FeatureId fid="${id}"/>` : xml`<ids:ResourceId rid="${id}"/>`;
  const results = (kind: Done["kind"], element: string): Xml | undefined => {
    const features = all
      .filter((each) => each.kind === kind)
      .flatMap(({ handle, ids: own }) =>
        own.map(
          (id) => xml`<wfs:Feature${handle !== undefined && xml` handle="${handle}"`}>${featureId(id)}</wfs:Feature>`,
        ),
      );
    const tag = new Xml(element);
    return features.length === 0 ? undefined : xml`<wfs:${tag}>${features}</wfs:${tag}>`;
  };
  // 1.1 requires insert results in any case
  const inserted = results("inserted", "InsertResults") ?? (isOld ? xml`<wfs:InsertResults><wfs:Feature>${featureId("none")}</wfs:Feature></wfs:InsertResults>` : undefined); // oxfmt-ignore
  const body = xml`<wfs:TransactionResponse version="${version}" xmlns:wfs="${wfs}" xmlns:ids="${ids}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${wfs} ${wfsSchema}"><wfs:TransactionSummary><wfs:totalInserted>${total("inserted")}</wfs:totalInserted><wfs:totalUpdated>${total("updated") + (isOld ? total("replaced") : 0)}</wfs:totalUpdated>${!isOld && xml`<wfs:totalReplaced>${total("replaced")}</wfs:totalReplaced>`}<wfs:totalDeleted>${total("deleted")}</wfs:totalDeleted></wfs:TransactionSummary>${inserted}${!isOld && xml`${results("updated", "UpdateResults")}${results("replaced", "ReplaceResults")}`}</wfs:TransactionResponse>`;
  sendText(exchange, { mediaType: isOld ? "text/xml" : "application/xml", text: xmlDocument(body), links: [] });
}

/** The answer of version 1.0.0 (OGC 02-058 §11.3): a list of ids for each Insert, and the word that all went well. */
function answerEarliest(exchange: OwsExchange, all: readonly Done[]): void {
  const inserted = all
    .filter(({ kind }) => kind === "inserted")
    .map(({ handle, ids }) => {
      const features = ids.map((id) => xml`<ogc:FeatureId fid="${id}"/>`);
      return xml`<wfs:InsertResult${handle !== undefined && xml` handle="${handle}"`}>${features}</wfs:InsertResult>`;
    });
  const body = xml`<wfs:WFS_TransactionResponse version="${EARLIEST}" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc">${inserted}<wfs:TransactionResult><wfs:Status><wfs:SUCCESS/></wfs:Status></wfs:TransactionResult></wfs:WFS_TransactionResponse>`;
  sendText(exchange, { mediaType: "text/xml", text: xmlDocument(body), links: [] });
}
