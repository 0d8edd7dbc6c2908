/**
 * The parameters `properties` (OGC API Features Part 6, draft) and `exclude-properties`: the properties of the features
 * in an answer.
 */
import { GatewayError } from "../../server/ground/errors.ts";
import { quote } from "../../server/types/show.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import { splitNames, unfit } from "../exchange/parameters/parameter.ts";

export interface PropertySelection {
  readonly properties?: readonly string[] | undefined;
  readonly "exclude-properties"?: readonly string[] | undefined;
}

export function readNames(text: string): readonly string[] {
  return splitNames(text)?.map(({ name }) => name) ?? unfit("names of properties joined by commas");
}

/**
 * The columns that become properties. The geometry may be named, but is always included unless `skipGeometry` leaves it
 * out. Throws `INVALID_PARAMETER` for an unknown name.
 */
export function givenColumns(
  collection: Pick<Collection, "columns" | "geometry">,
  selection: PropertySelection,
): readonly CollectionColumn[] {
  const { columns, geometry } = collection;
  if (!selection.properties && !selection["exclude-properties"]) return allGiven(collection);
  const named = (parameter: keyof PropertySelection): ReadonlySet<string> | undefined => {
    const names = selection[parameter];
    const unknown = names?.find((name) => !columns.some((column) => column.name === name));
    if (unknown !== undefined)
      throw new GatewayError("INVALID_PARAMETER", `${parameter}: there is no property ${quote(unknown)}`);
    return names && new Set(names);
  };
  const [only, without] = [named("properties"), named("exclude-properties")];
  if (only && without)
    throw new GatewayError("INVALID_PARAMETER", "properties and exclude-properties: give one of them");
  return columns.filter(
    ({ number, name }) => number !== geometry?.number && (only?.has(name) ?? true) && !without?.has(name),
  );
}

const ofAll = new WeakMap<object, readonly CollectionColumn[]>();

/** All columns but the geometry. Gives the same array each time. */
export function allGiven(collection: Pick<Collection, "columns" | "geometry">): readonly CollectionColumn[] {
  let given = ofAll.get(collection);
  if (!given) {
    given = collection.columns.filter(({ number }) => number !== collection.geometry?.number);
    ofAll.set(collection, given);
  }
  return given;
}

/** The selected columns. The missing columns of the key come first where the id of a feature is nowhere else. */
export function withKey({
  collection: { key },
  given,
}: {
  readonly collection: Pick<Collection, "key">;
  readonly given: readonly CollectionColumn[];
}): readonly CollectionColumn[] {
  return [...key.filter((column) => !given.includes(column)), ...given];
}
