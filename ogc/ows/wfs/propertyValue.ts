/** GetPropertyValue (OGC 09-025r2 §10): the values of one property of featuresonly. */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { Filter } from "../../../server/filter/tree.ts";
import { isNull } from "../../../server/filter/nodes.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { answerQueries } from "./answer.ts";
import { askedBy, type Form } from "./asked.ts";
import { propertyNamed } from "./filter.ts";
import { ValueEncoding } from "./gml.ts";
import { DIALECTS } from "./names.ts";
import { queriesOf, storedIdOf, type Query } from "./query.ts";
import { keyOwners } from "./storedQueries.ts";

export async function getPropertyValue(exchange: OwsExchange): Promise<void> {
  const { valuereference: path = "" } = exchange.given;
  const isId = /^@(\w+:)?id$/.test(path.trim());
  const columnOf = (collection: Collection): CollectionColumn | undefined =>
    isId ? undefined : valueColumn(exchange, collection, path);
  const form: Form = {
    given(collection) {
      const column = columnOf(collection);
      return column && column.number !== collection.geometry?.number ? [column] : [];
    },
    // a feature without a value has no member in the answer
    condition(collection): Filter | undefined {
      const column = columnOf(collection);
      return column && { kind: "not", filter: isNull(column, true) };
    },
    encoding: (scope) => new ValueEncoding(scope, DIALECTS[exchange.version]!, columnOf(scope.collection)),
  };
  const asked = await askedBy(exchange, await queries(exchange), form);
  await answerQueries(exchange, asked, { isJson: false, element: "ValueCollection" });
}

async function queries(exchange: OwsExchange): Promise<readonly Query[]> {
  const id = storedIdOf(exchange);
  if (id === undefined) return queriesOf(exchange);
  const owner = (await keyOwners(exchange, [id])).get(id);
  if (!owner) throw exception("InvalidParameterValue", `There is no feature ${JSON.stringify(id.slice(0, 200))}`, "id");
  const none = { properties: undefined, srsName: undefined, sortBy: undefined, filter: undefined, bbox: undefined };
  return [{ ...none, type: owner.id, ids: [id] }];
}

function valueColumn(exchange: OwsExchange, collection: Collection, path: string): CollectionColumn {
  const { body, given } = exchange;
  const namespaceOf = (prefix: string) => body?.namespaceOf(prefix) ?? given.namespaces?.get(prefix);
  try {
    const name = propertyNamed(collection, path.trim(), namespaceOf);
    const column = collection.columns.find((each) => each.name === name);
    if (column) return column;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
  throw exception(
    "InvalidParameterValue",
    `VALUEREFERENCE: ${JSON.stringify(path.slice(0, 100))} is not a property of ${collection.id}`,
    "valuereference",
  );
}
