/** The queries of a request (OGC 09-025r2 §7.9, 04-094 §9.2), from a query string or from XML. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { parseXml, type XmlElement } from "../../../server/types/xml.ts";
import type { SortKey } from "../../features/page/sorting.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { localName, typeNamed } from "./names.ts";
import { GET_FEATURE_BY_ID, keyOwners } from "./storedQueries.ts";

/** The most queries of one request. */
const MOST_QUERIES = 100;

/** A request for features of one type. */
export interface Query {
  /** The id of the collection. */
  readonly type: string;
  /** Names of properties, without prefix; undefined for all. */
  readonly properties: readonly string[] | undefined;
  readonly srsName: string | undefined;
  readonly sortBy: readonly SortKey[] | undefined;
  readonly filter: XmlElement | undefined;
  /** A rectangle, as text. */
  readonly bbox: string | undefined;
  readonly ids: readonly string[] | undefined;
}

/** The queries of a request, in their order. Throws an exception for a request without a query, and for joins. */
export async function queriesOf(exchange: OwsExchange): Promise<readonly Query[]> {
  const queries = exchange.body ? queriesIn(exchange.body, exchange) : await queriesOfKvp(exchange);
  if (queries.length === 0) throw missingTypes(exchange);
  if (queries.length > MOST_QUERIES)
    throw exception("InvalidParameterValue", `A request has at most ${MOST_QUERIES} queries`, "typenames");
  return queries;
}

function missingTypes({ version }: OwsExchange): GatewayError {
  return exception(
    "MissingParameterValue",
    `${version === "1.1.0" ? "TYPENAME" : "TYPENAMES"}: is missing`,
    "typenames",
  );
}

/**
 * The feature id that the request's stored query asks for. Throws for a stored query other than the one that each
 * service has.
 */
export function storedIdOf(exchange: OwsExchange): string | undefined {
  const { given, body } = exchange;
  const inBody = body?.children.find(({ name }) => name === "StoredQuery");
  const query = inBody ? (inBody.attributes.get("id") ?? "") : given.storedquery_id;
  if (query === undefined) return undefined;
  if (query !== GET_FEATURE_BY_ID)
    throw exception("InvalidParameterValue", `STOREDQUERY_ID: expected ${GET_FEATURE_BY_ID}`, "storedquery_id");
  const parameter = inBody?.children.find(
    ({ name, attributes }) => name === "Parameter" && attributes.get("name")?.toLowerCase() === "id",
  );
  const id = inBody ? parameter?.text.trim() : given.id;
  if (id === undefined || id === "") throw exception("MissingParameterValue", "ID: is missing", "id");
  return id;
}

// Query strings -----------------------------------------------------------------------------------

async function queriesOfKvp(exchange: OwsExchange): Promise<Query[]> {
  const { given, version } = exchange;
  const { typenames: types, resourceid: ids, filter, bboxtext: bbox, srsname: srsName, sortby: sortBy } = given;
  const chosen = [ids && "RESOURCEID", filter && "FILTER", bbox && "BBOX"].filter(Boolean);
  if (chosen.length > 1)
    throw exception("InvalidParameterValue", `${chosen.join(" and ")}: a request has one of them`, "filter");
  // WFS 1.1 has no joins: each name in a list is a query
  const groups = version === "1.1.0" ? types?.flat().map((type) => [type]) : types;
  if (!groups) return byType(exchange, ids ?? []);
  const filters = filter?.map((text) => filterIn(text));
  for (const [name, list] of [
    ["FILTER", filters],
    ["PROPERTYNAME", given.propertyname],
  ] as const)
    // oxfmt-ignore
    if (list && list.length !== 1 && list.length !== groups.length)
      throw exception("InvalidParameterValue", `${name}: expected as many as there are types`, name.toLowerCase());
  return groups.map((group, index): Query => {
    const names = given.propertyname && (given.propertyname[index] ?? given.propertyname[0]);
    return {
      type: only(group.map((type) => typeNamed(type, (prefix) => given.namespaces?.get(prefix), exchange.namespace))),
      properties: names && propertiesOf(names),
      srsName,
      sortBy,
      filter: filters && (filters[index] ?? filters[0]),
      bbox,
      ids,
    };
  });
}

function filterIn(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw exception("InvalidParameterValue", `FILTER: ${error.message}`, "filter");
  }
}

/** Queries for ids of features, if the request names no types. */
async function byType(exchange: OwsExchange, ids: readonly string[]): Promise<Query[]> {
  const { srsname: srsName, sortby: sortBy, propertyname } = exchange.given;
  const owners = await keyOwners(exchange, ids);
  const types = Map.groupBy([...owners.keys()], (id) => owners.get(id)!.id);
  const properties = propertyname?.[0] && propertiesOf(propertyname[0]);
  const common = { properties, srsName, sortBy, filter: undefined, bbox: undefined };
  return [...types].map(([type, own]) => ({ ...common, type, ids: own }));
}

/** OGC 09-025r2 §7.9.2.5.3: several types in one query are a join. */
function only(types: readonly string[]): string {
  const [type, ...more] = types;
  if (type !== undefined && more.length === 0) return type;
  throw exception(
    "OperationNotSupported",
    "TYPENAMES: joins are not supported; put each type in parentheses, (a)(b), for separate queries",
    "typenames",
  );
}

/** The local names of properties, without the names that mean all properties. */
function propertiesOf(names: readonly string[]): readonly string[] | undefined {
  const local = names.map((name) => localName(name.trim().replace(/^.*\//, "")));
  return local.includes("*") ? undefined : local;
}

// XML ---------------------------------------------------------------------------------------------

function queriesIn(body: XmlElement, exchange: OwsExchange): Query[] {
  return body.children.filter(({ name }) => name === "Query").map((element) => queryIn(element, exchange));
}

function queryIn(element: XmlElement, exchange: OwsExchange): Query {
  const { attributes, children } = element;
  const text = attributes.get("typeNames") ?? attributes.get("typeName") ?? "";
  const types = text.split(/[\s,]+/).filter((type) => type !== "");
  if (types.length === 0) throw missingTypes(exchange);
  const names = children.filter(({ name }) => name === "PropertyName" || name === "XlinkPropertyName");
  const sortBy = children.find(({ name }) => name === "SortBy");
  return {
    type: only(types.map((type) => typeNamed(type, (prefix) => element.namespaceOf(prefix), exchange.namespace))),
    properties: names.length > 0 ? propertiesOf(names.map((name) => name.text)) : undefined,
    srsName: attributes.get("srsName"),
    sortBy: sortBy?.children.map(sortKeyIn),
    filter: children.find(({ name }) => name === "Filter"),
    bbox: undefined,
    ids: undefined,
  };
}

function sortKeyIn({ children }: XmlElement): SortKey {
  const textOf = (...names: readonly string[]): string =>
    children.find(({ name }) => names.includes(name))?.text.trim() ?? "";
  const name = localName(textOf("ValueReference", "PropertyName").replace(/^.*\//, ""));
  return { name, descending: /^d/i.test(textOf("SortOrder")) };
}
