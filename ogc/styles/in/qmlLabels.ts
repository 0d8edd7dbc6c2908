/** Labels of QML: simple and by rules. */
import { childOf, type XmlElement } from "../../../server/types/xml.ts";
import { readQgisColour } from "./colour.ts";
import type { Reading } from "./reading.ts";
import { PIXELS_PER_POINT } from "../../maps/style.ts";
import { pointsOf } from "./labelSize.ts";
import { expressionOf, numberFrom, pixels } from "./qmlValues.ts";
import type { Rule } from "./rules.ts";
import { columnNamed } from "./where.ts";

/** The labels. `root`: the whole document. The caller sets `group`. */
export function labelsOf(root: XmlElement, reading: Reading): readonly Omit<Rule, "group">[] {
  const labeling = childOf(root, "labeling");
  const type = labeling?.attributes.get("type") ?? "simple";
  if (!labeling || type === "simple") {
    const settings = (labeling && childOf(labeling, "settings")) ?? formerSettings(root);
    return settings ? ruleOf(settings, { where: undefined, at: "labeling", name: "All" }, reading) : [];
  }
  if (type !== "rule-based") {
    reading.notes.add("labeling", `labels of the kind ${JSON.stringify(type)} are left out`);
    return [];
  }
  return (childOf(labeling, "rules")?.children ?? [])
    .filter(({ name, attributes }) => name === "rule" && attributes.get("active") !== "0")
    .flatMap((rule, index) => {
      const at = `labeling / rule ${index + 1}`;
      const filter = rule.attributes.get("filter")?.trim() ?? "";
      const isElse = filter.toUpperCase() === "ELSE";
      const where = isElse ? "else" : filter === "" ? undefined : expressionOf(filter, reading, at);
      const settings = childOf(rule, "settings");
      if (where === null || !settings) return [];
      const name = rule.attributes.get("description") || filter || "All";
      return ruleOf(settings, { where, at, name }, reading);
    });
}

/** The settings of labels in QGIS 2, which has them as properties of the layer, in the form of QGIS 3. */
function formerSettings(root: XmlElement): XmlElement | undefined {
  const all = childOf(root, "customproperties")?.children ?? [];
  const properties = new Map(all.map(({ attributes }) => [attributes.get("key") ?? "", attributes.get("value") ?? ""]));
  const value = (name: string): string => properties.get(`labeling/${name}`) ?? "";
  if (properties.get("labeling") !== "pal" || value("enabled") !== "true") return undefined;
  const isTrue = (name: string): string => (value(name) === "true" ? "1" : "0");
  const colour = (name: string): string => ["R", "G", "B", "A"].map((channel) => value(name + channel) || "255").join();
  const child = (name: string, attributes: Readonly<Record<string, string>>): XmlElement => ({ ...root, name, text: "", children: [], attributes: new Map(Object.entries(attributes)) }); // oxfmt-ignore
  const buffer = child("text-buffer", { bufferDraw: isTrue("bufferDraw"), bufferColor: colour("bufferColor") });
  const text = child("text-style", {
    fieldName: value("fieldName"),
    fontSize: value("fontSize"),
    fontSizeUnit: value("fontSizeInMapUnits") === "true" ? "MapUnit" : "Point",
    textColor: colour("textColor"),
  });
  const settings = child("settings", {});
  return {
    ...settings,
    children: [
      { ...text, children: [buffer] },
      child("placement", { placement: value("placement"), quadOffset: value("quadOffset") || "4" }),
      child("rendering", {
        scaleVisibility: isTrue("scaleVisibility"),
        scaleMin: value("scaleMin"),
        scaleMax: value("scaleMax"),
      }),
    ],
  };
}

function ruleOf(
  settings: XmlElement,
  { where, at, name }: { readonly where: Rule["where"]; readonly at: string; readonly name: string },
  reading: Reading,
): readonly Omit<Rule, "group">[] {
  const { notes } = reading;
  const style = childOf(settings, "text-style");
  const text = style && textOf(style, at, reading);
  if (!style || text === undefined) return [];
  const { attributes } = style;
  const buffer = childOf(style, "text-buffer");
  const isHaloed = buffer?.attributes.get("bufferDraw") === "1";
  const size =
    pixels(attributes.get("fontSize"), attributes.get("fontSizeUnit") ?? "Point", at, reading) ?? 10 * PIXELS_PER_POINT;
  const colour = readQgisColour(attributes.get("textColor") ?? "0,0,0,255");
  const halo = isHaloed ? readQgisColour(buffer.attributes.get("bufferColor") ?? "255,255,255,255") : undefined;
  notes.add(at, "labels are in DejaVu Sans, whatever the font is");
  for (const [child, attribute] of [
    ["shadow", "shadowDraw"],
    ["background", "shapeDraw"],
    ["text-mask", "maskEnabled"],
  ] as const)
    if (childOf(style, child)?.attributes.get(attribute) === "1") notes.add(at, `${child} is left out`);
  const properties = childOf(childOf(settings, "dd_properties") ?? settings, "Option")?.children.find((each) => each.attributes.get("name") === "properties"); // oxfmt-ignore
  if ((properties?.children.length ?? 0) > 0) notes.add(at, "data-defined properties of labels are left out");
  const rendering = childOf(settings, "rendering");
  const isLimited = rendering?.attributes.get("scaleVisibility") === "1";
  const bounds = ["scaleMin", "scaleMax"].map((each) => numberFrom(rendering?.attributes.get(each)) ?? 0).sort((one, other) => one - other); // oxfmt-ignore
  const scales = isLimited ? { minScale: bounds[0] || undefined, maxScale: bounds[1] || undefined } : {};
  const position = positionOf(childOf(settings, "placement"));
  const label = {
    text,
    size: pointsOf(size),
    ...(colour && { color: colour.hex }),
    ...(halo && { outlineColor: halo.hex }),
    ...(position !== undefined && { position }),
  };
  return [{ name, where, ...scales, styles: [], labels: [label] }];
}

/** A column, or an expression that joins columns and texts by `||` or `concat`. */
function textOf({ attributes }: XmlElement, at: string, reading: Reading): string | undefined {
  const field = attributes.get("fieldName") ?? "";
  const column = columnNamed(reading.collection, field.replace(/^"(.*)"$/, "$1"));
  if (column) return `{${column.name}}`;
  const joined = /^\s*concat\s*\((.*)\)\s*$/is.exec(field)?.[1];
  const pattern = /\s*(?:'((?:[^']|'')*)'|"([^"]+)"|([\p{L}_][\p{L}\d_]*))\s*(\|\||,|$)/uy;
  const source = joined ?? field;
  const parts: string[] = [];
  for (let end = ""; parts.length < 50;) {
    const found = pattern.exec(source);
    if (!found) break;
    const [, literal, quoted, plain] = found;
    const named = literal === undefined ? columnNamed(reading.collection, quoted ?? plain!) : undefined;
    if (literal === undefined && !named) break;
    parts.push(named ? `{${named.name}}` : literal!.replaceAll("''", "'"));
    end = found[4]!;
    if (end === "" && pattern.lastIndex === source.length && parts.some((part) => part.startsWith("{")))
      return parts.join("");
    if (end !== (joined === undefined ? "||" : ",")) break;
  }
  reading.notes.add(at, `the label is left out, since ${JSON.stringify(field.slice(0, 200))} is not understood`);
  return undefined;
}

/** The position by QGIS's numbers of placements: along lines (2, 3 curved), over a point (1) with a quadrant. */
function positionOf(placement: XmlElement | undefined): string | undefined {
  const kind = placement?.attributes.get("placement");
  if (kind === "2" || kind === "3") return "follow";
  if (kind !== "1") return undefined;
  const quadrant = Number(placement?.attributes.get("quadOffset") ?? 4);
  return ["ul", "uc", "ur", "cl", "cc", "cr", "ll", "lc", "lr"][quadrant];
}
