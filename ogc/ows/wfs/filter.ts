/** The filter of a query as a condition on the features of its type. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { parseFes } from "../../../server/filter/fes/parse.ts";
import { and, Budget, or } from "../../../server/filter/nodes.ts";
import type { Filter } from "../../../server/filter/tree.ts";
import type { XmlElement } from "../../../server/types/xml.ts";
import { badInput } from "../../../server/ground/errors.ts";
import { keyValues } from "../../../plugins/rows/keyText.ts";
import type { Collection } from "../../collections/collections.ts";
import { readFilter } from "../../features/filter.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { keyOfId, localName } from "./names.ts";
import type { Query } from "./query.ts";
import { keyOwners } from "./storedQueries.ts";
import { crsNamedIn } from "./systems.ts";

/** The condition; undefined where every feature matches. Throws an exception for an invalid filter. */
export async function conditionOf(
  exchange: OwsExchange,
  collection: Collection,
  { filter, ids }: Pick<Query, "filter" | "ids">,
): Promise<Filter | undefined> {
  const inFilter: string[] = [];
  const parts = [filter && (await filterOf(exchange, collection, filter, inFilter)), ids && ofIds(collection, ids)];
  await refuseOthers(exchange, collection, [...inFilter, ...(ids ?? [])]);
  const needed = parts.filter((part) => part !== undefined);
  return needed.length === 0 ? undefined : and(needed);
}

/** `ids`: takes the ids that the filter has. */
async function filterOf(
  exchange: OwsExchange,
  collection: Collection,
  element: XmlElement,
  ids: string[],
): Promise<Filter | undefined> {
  try {
    return await readFilter(exchange, collection, (shape) =>
      parseFes(element, shape, {
        nameOf: (text, { namespaceOf }) => propertyNamed(collection, text, namespaceOf),
        isAbsent: (text, { namespaceOf }) => UNUSED.has(gmlProperty(collection, text, namespaceOf)),
        geometry: collection.geometry?.name,
        axesOf: (srsName) => crsNamedIn(srsName, collection, "srsName"),
        ofIds(own) {
          ids.push(...own);
          return ofIds(collection, own);
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof GatewayError) || !["BAD_USER_INPUT", "LIMIT_EXCEEDED"].includes(error.code)) throw error;
    throw exception("InvalidParameterValue", `FILTER: ${error.message}`, "filter");
  }
}

/**
 * The column of a path: `name`, `p:name` or `p:type/p:name`. Each part may end with `[1]`, since a feature has one
 * value of each. The envelope of a feature is that of its geometry.
 */
export function propertyNamed(
  collection: Collection,
  text: string,
  namespaceOf: (prefix: string) => string | undefined,
): string {
  const { geometry, id } = collection;
  const path = text.replaceAll(/\[\s*1\s*\]/g, "");
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  const last = steps.at(-1) ?? "";
  if (last === "" || /[[\]()*@]/.test(path) || steps.length > 2 || (steps.length === 2 && localName(steps[0]!) !== id))
    badInput(`${JSON.stringify(text.slice(0, 100))} is no path to a property of ${id}`);
  const name = localName(last);
  return gmlProperty(collection, last, namespaceOf) === "boundedBy" ? (geometry?.name ?? name) : name;
}

/** The properties of each feature of GML that ours do not have. @see OGC 07-036r1 §9.4 (gml:StandardObjectProperties) */
const UNUSED = new Set<string | undefined>(
  "metaDataProperty description descriptionReference identifier name location".split(" "),
);

/** The local name of a property of GML; undefined for another one, and where a column has that name. */
function gmlProperty(
  { columns }: Collection,
  text: string,
  namespaceOf: (prefix: string) => string | undefined,
): string | undefined {
  const isGml =
    /^http:\/\/www\.opengis\.net\/gml/.test(namespaceOf(text.split(":")[0]!) ?? "") || text.startsWith("gml:");
  const name = localName(text);
  return isGml && !columns.some((column) => column.name === name) ? name : undefined;
}

/**
 * Throws an exception for the id of a feature of another type (OGC 09-026r2 §7.11), if it is one that the caller sees.
 */
async function refuseOthers(exchange: OwsExchange, collection: Collection, ids: readonly string[]): Promise<void> {
  const others = ids.filter((id) => keyOfId(collection, id) === undefined);
  if (others.length === 0) return;
  const [other] = (await keyOwners(exchange, others)).keys();
  if (other === undefined) return;
  throw exception(
    "InvalidParameterValue",
    `RESOURCEID: ${JSON.stringify(other.slice(0, 200))} is not a feature of ${collection.id}`,
    "resourceid",
  );
}

/** The condition that a feature has one of these ids. */
function ofIds(collection: Collection, ids: readonly string[]): Filter {
  const { key } = collection;
  const budget = new Budget({});
  const found = ids.flatMap((id) => {
    const text = keyOfId(collection, id);
    const values = text === undefined || key.length === 0 ? undefined : keyValues(key, text);
    return values ? [values] : [];
  });
  const [only, ...more] = key;
  if (only && more.length === 0 && found.length > 1)
    return budget.oneOf(only, "in", found.map(([value]) => value), "id"); // oxfmt-ignore
  return or(
    found.map((values) =>
      and(
        key.map((column, index) => {
          budget.count("id");
          return budget.compare(column, "eq", values[index], "id");
        }),
      ),
    ),
  );
}
