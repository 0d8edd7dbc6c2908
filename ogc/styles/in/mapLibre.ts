/** Styles for MapLibre and Mapbox GL (style specification, version 8) → classes. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { isObject, type JsonObject } from "../../../server/types/json.ts";
import { parseJson, type Document, type Reading } from "./reading.ts";
import { layerDrawing, type Values } from "./mapLibreLayers.ts";
import { filterOf } from "./mapLibreFilter.ts";
import type { Rule } from "./rules.ts";
import { Inexpressible } from "./where.ts";

/** OGC 17-083r4: the scale denominator at zoom 0, at which the world has 512 pixels of 0.28 mm. */
const SCALE_AT_ZERO = (2 * Math.PI * 6_378_137) / 512 / 0.00028;

/** Reads a style. Throws `BAD_USER_INPUT` for a document of another kind. */
export function readMapLibre(text: string, reading: Reading): Document {
  const style = parseJson(text);
  if (!isObject(style) || !Array.isArray(style["layers"]))
    throw new GatewayError("BAD_USER_INPUT", "The document has no list of layers, as a style for MapLibre has");
  const layers = ownLayers((style["layers"] as unknown[]).filter(isObject), reading);
  const rules = layers.flatMap((layer, group) => rulesOf(layer, group, reading));
  const title = style["name"];
  return { rules, title: typeof title === "string" && title.trim() !== "" ? title.slice(0, 200) : undefined }; // oxfmt-ignore
}

/**
 * The layers of the collection, by their source layer. If all layers have the same source layer, its name does not
 * matter.
 */
function ownLayers(all: readonly JsonObject[], { collection, notes }: Reading): readonly JsonObject[] {
  const drawing = all.filter((layer) => {
    if (["fill", "line", "circle", "symbol"].includes(String(layer["type"]))) return true;
    notes.add(`layer ${show(layer["id"])}`, `a layer of the type ${show(layer["type"])} is left out`);
    return false;
  });
  const sources = new Set(drawing.map((layer) => layer["source-layer"]));
  const own = drawing.filter((layer) => [collection.id, collection.relation].includes(String(layer["source-layer"])));
  if (own.length > 0 && own.length < drawing.length) notes.add("", `${drawing.length - own.length} layers of others than ${collection.id} are left out`); // oxfmt-ignore
  if (own.length > 0 || sources.size <= 1) return own.length > 0 ? own : drawing;
  throw new GatewayError("BAD_USER_INPUT", `None of the layers has "source-layer": "${collection.id}"`);
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 100);

function rulesOf(layer: JsonObject, group: number, reading: Reading): readonly Rule[] {
  const { notes } = reading;
  const id = typeof layer["id"] === "string" ? layer["id"] : `${group + 1}`;
  const at = `layer ${JSON.stringify(id.slice(0, 100))}`;
  const layout = isObject(layer["layout"]) ? layer["layout"] : {};
  if (layout["visibility"] === "none") return [];
  let where: JsonObject | undefined;
  try {
    where = layer["filter"] === undefined ? undefined : filterOf(layer["filter"], reading.collection);
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    notes.add(`${at} / filter`, `the layer is left out, since its condition is not understood: ${error.message}`);
    return [];
  }
  const scale = (zoom: unknown): number | undefined =>
    typeof zoom === "number" && zoom > 0 && zoom < 24 ? Number((SCALE_AT_ZERO / 2 ** zoom).toPrecision(6)) : undefined;
  const range = { minScale: scale(layer["maxzoom"]), maxScale: scale(layer["minzoom"]) };
  const paint = isObject(layer["paint"]) ? layer["paint"] : {};
  return choicesOf({ ...layout, ...paint }, at, reading).map(({ condition, label, values }): Rule => {
    const { styles, labels } = layerDrawing(String(layer["type"]), values, { ...reading, at });
    const both = where && condition && condition !== "else" ? { and: [where, condition] } : undefined;
    const name = label === undefined ? id : `${id} ${label}`;
    return {
      name,
      where: both ?? (condition === "else" ? (where ?? "else") : (condition ?? where)),
      ...range,
      styles,
      labels,
      group,
      isOnly: true,
    };
  });
}

interface Choice {
  readonly condition: JsonObject | "else" | undefined;
  readonly label: string | undefined;
  readonly values: Values;
}

/** The alternatives of a layer whose properties choose by `match`, `case` or `step`, all by the same conditions. */
function choicesOf(properties: JsonObject, at: string, reading: Reading): readonly Choice[] {
  const branching = Object.entries(properties).flatMap(([name, value]) => {
    const branches = branchesOf(value, reading);
    return branches ? [{ name, branches }] : [];
  });
  const [first] = branching;
  if (!first) return [{ condition: undefined, label: undefined, values: properties }];
  const conditions = JSON.stringify(first.branches.map(({ condition }) => condition));
  const alike = branching.filter(({ branches }) => JSON.stringify(branches.map(({ condition }) => condition)) === conditions); // oxfmt-ignore
  for (const { name } of branching)
    if (!alike.some((each) => each.name === name)) reading.notes.add(`${at} / ${name}`, "chooses by other conditions than the properties before it, and is left out"); // oxfmt-ignore
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !branching.some((each) => each.name === name))); // oxfmt-ignore
  return first.branches.map(({ condition, label }, index) => ({
    condition,
    label,
    values: { ...rest, ...Object.fromEntries(alike.map(({ name, branches }) => [name, branches[index]!.value])) },
  }));
}

interface Branch {
  readonly condition: JsonObject | "else";
  readonly label: string | undefined;
  readonly value: unknown;
}

/**
 * The branches of `match`, `case` and `step` on one column; undefined for any other expression, which its own reader
 * judges.
 */
function branchesOf(expression: unknown, { collection }: Reading): readonly Branch[] | undefined {
  if (!Array.isArray(expression)) return undefined;
  const [operator, ...rest] = expression as unknown[];
  const last = { condition: "else" as const, label: undefined, value: rest.at(-1) };
  try {
    if (operator === "match") {
      const [input, ...cases] = rest;
      const pairs = cases.slice(0, -1);
      return [
        ...pairs.filter((_, index) => index % 2 === 0).map((value, index): Branch => ({
          condition: filterOf(Array.isArray(value) ? ["in", input, ["literal", value]] : ["==", input, value], collection)!,
          label: Array.isArray(value) ? value.join(", ") : String(value),
          value: pairs[index * 2 + 1],
        })),
        last,
      ]; // oxfmt-ignore
    }
    if (operator === "case") {
      const pairs = rest.slice(0, -1);
      return [
        ...pairs.filter((_, index) => index % 2 === 0).map((condition, index): Branch => ({
          condition: filterOf(condition, collection)!,
          label: String(index + 1),
          value: pairs[index * 2 + 1],
        })),
        last,
      ]; // oxfmt-ignore
    }
    if (operator === "step" && JSON.stringify(rest[0]) !== '["zoom"]') {
      const [input, ...steps] = rest;
      const stops = steps.slice(1).filter((_, index) => index % 2 === 0);
      // from the highest: the first branch that holds draws
      return [
        ...stops.map((stop, index): Branch => ({
          condition: filterOf([">=", input, stop], collection)!,
          label: `from ${String(stop)}`,
          value: steps[2 + index * 2],
        })).toReversed(),
        { condition: "else", label: undefined, value: steps[0] },
      ]; // oxfmt-ignore
    }
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
  }
  return undefined;
}
