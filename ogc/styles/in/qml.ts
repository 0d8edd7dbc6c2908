/** QML, the style files of QGIS 2 and 3, → classes: renderers, rules and labels. */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { JsonObject } from "../../../server/types/json.ts";
import { childOf, parseXml, type XmlElement } from "../../../server/types/xml.ts";
import type { Document, Reading } from "./reading.ts";
import { labelsOf } from "./qmlLabels.ts";
import { expressionOf, numberFrom } from "./qmlValues.ts";
import { symbolDrawings } from "./qmlSymbols.ts";
import type { Rule } from "./rules.ts";
import { columnNamed } from "./where.ts";

/** The document type that QGIS writes. It declares nothing, and its address is never fetched. */
const isOfQgis = (doctype: string): boolean => /^\s*qgis(\s+PUBLIC\s+'[^'<>[]*'\s+'[^'<>[]*')?\s*$/.test(doctype);

/** The group of labels. Those of rules count from 0. */
const LABELS = -1;

/** Reads a style. Throws `BAD_USER_INPUT` for a document that is not QML, or has an unsupported renderer. */
export function readQml(text: string, reading: Reading): Document {
  const root = parseXml(text, { doctype: isOfQgis });
  if (root.name !== "qgis") throw new GatewayError("BAD_USER_INPUT", `The document is <${root.name}>, and not QML`);
  const renderer = childOf(root, "renderer-v2");
  if (!renderer) throw new GatewayError("BAD_USER_INPUT", "The document has no renderer (renderer-v2)");
  noteLayer(root, reading);
  const rules = rulesOf(renderer, reading);
  const labels = labelsOf(root, reading).map((rule): Rule => ({ ...rule, group: LABELS }));
  return { rules: [...rules, ...labels].map((rule) => within(rule, root)), title: undefined };
}

function noteLayer(root: XmlElement, { notes }: Reading): void {
  const value = (name: string): string | undefined => childOf(root, name)?.text.trim();
  if (Number(value("blendMode") ?? 0) !== 0) notes.add("blendMode", "is left out");
  if (Number(value("featureBlendMode") ?? 0) !== 0) notes.add("featureBlendMode", "is left out");
  if (Number(value("layerOpacity") ?? 1) !== 1) notes.add("layerOpacity", "is left out");
  const diagrams = childOf(root, "SingleCategoryDiagramRenderer", "LinearlyInterpolatedDiagramRenderer");
  if (diagrams && diagrams.attributes.get("enabled") !== "0" && childOf(root, "DiagramLayerSettings")?.attributes.get("showAll") === undefined) notes.add(diagrams.name, "diagrams are left out"); // oxfmt-ignore
}

/** The rule within the scales of its layer. QGIS 3 calls the larger denominator `minScale`, and QGIS 2 `maximumScale`. */
function within(rule: Rule, { attributes }: XmlElement): Rule {
  if (attributes.get("hasScaleBasedVisibilityFlag") !== "1") return rule;
  const bounds = ["minScale", "maxScale", "minimumScale", "maximumScale"]
    .map((name) => Number(attributes.get(name) ?? 0))
    .filter((each) => each > 0);
  const [least = 0, most = Infinity] = bounds.length === 2 ? bounds.sort((one, other) => one - other) : [0, ...bounds];
  const minScale = Math.max(rule.minScale ?? 0, least);
  const maxScale = Math.min(rule.maxScale ?? Infinity, most);
  return {
    ...rule,
    minScale: minScale > 0 ? minScale : undefined,
    maxScale: maxScale < Infinity ? maxScale : undefined,
  };
}

function rulesOf(renderer: XmlElement, reading: Reading): readonly Rule[] {
  const { notes } = reading;
  const type = renderer.attributes.get("type") ?? "";
  if (renderer.attributes.get("forceraster") === "1") notes.add("renderer-v2", "forceraster is left out");
  if (renderer.attributes.get("symbollevels") === "1") notes.add("renderer-v2", "the levels of symbols are left out");
  for (const [name, what] of [["rotation", "rotation"], ["sizescale", "size"]] as const) {
    const field = childOf(renderer, name)?.attributes.get("field") ?? "";
    if (field !== "") notes.add("renderer-v2", `the ${what} by ${JSON.stringify(field.slice(0, 100))} is left out`);
  } // oxfmt-ignore
  if (renderer.attributes.get("enableorderby") === "1") notes.add("renderer-v2", "the order of features is left out");
  const symbols = new Map((childOf(renderer, "symbols")?.children ?? []).map((each) => [each.attributes.get("name") ?? "", each])); // oxfmt-ignore
  const drawn = (name: string | undefined, at: string): readonly JsonObject[] => {
    const symbol = symbols.get(name ?? "");
    return symbol ? symbolDrawings(symbol, at, reading) : [];
  };
  switch (type) {
    case "singleSymbol":
      return [{ name: "All", where: undefined, styles: drawn("0", "symbol"), labels: [], group: 0 }];
    case "categorizedSymbol":
      return categories(renderer, drawn, reading);
    case "graduatedSymbol":
      return ranges(renderer, drawn, reading);
    case "RuleRenderer":
      return nested(childOf(renderer, "rules"), {
        drawn,
        reading,
        at: "",
        outer: { where: undefined },
        around: [],
        groups: { used: 0 },
      });
    case "nullSymbol":
      return [];
    default:
      throw new GatewayError("BAD_USER_INPUT", `The renderer ${JSON.stringify(type)} of QGIS is not supported`);
  }
}

type Drawn = (name: string | undefined, at: string) => readonly JsonObject[];

/** The column by which a renderer chooses. Throws `BAD_USER_INPUT` for an expression. */
function attributeOf(renderer: XmlElement, { collection }: Reading): string {
  const attribute = renderer.attributes.get("attr") ?? "";
  const column = columnNamed(collection, attribute.replace(/^"(.*)"$/, "$1"));
  if (column) return column.name;
  throw new GatewayError("BAD_USER_INPUT", `The renderer chooses by ${JSON.stringify(attribute.slice(0, 100))}, which is not a column of ${collection.id}`); // oxfmt-ignore
}

const isShown = ({ attributes }: XmlElement): boolean => attributes.get("render") !== "false";

function categories(renderer: XmlElement, drawn: Drawn, reading: Reading): readonly Rule[] {
  const column = attributeOf(renderer, reading);
  const isText = reading.collection.columns.find(({ name }) => name === column)!.type.kind === "boolean" ? (text: string): unknown => /^(true|t|1)$/i.test(text) : (text: string): unknown => text; // oxfmt-ignore
  return (childOf(renderer, "categories")?.children ?? []).map((category, index): Rule => {
    const { attributes } = category;
    const value = attributes.get("value") ?? "";
    const values = category.children
      .filter(({ name }) => name === "val")
      .map((each) => each.attributes.get("value") ?? "");
    const label = attributes.get("label")?.trim() || value || `Category ${index + 1}`;
    const isNull = attributes.get("type") === "NULL" || (value === "" && values.length === 0 && attributes.get("symbol") !== undefined && attributes.get("type") === undefined); // oxfmt-ignore
    const where = isNull
      ? "else"
      : values.length > 0
        ? { [column]: { in: values.map(isText) } }
        : { [column]: { eq: isText(value) } };
    const at = `category ${index + 1} ${JSON.stringify(label.slice(0, 60))}`;
    return {
      name: label,
      where,
      styles: isShown(category) ? drawn(attributes.get("symbol"), at) : [],
      labels: [],
      group: 0,
      isOnly: true,
    };
  });
}

function ranges(renderer: XmlElement, drawn: Drawn, reading: Reading): readonly Rule[] {
  const column = attributeOf(renderer, reading);
  return (childOf(renderer, "ranges")?.children ?? []).map((range, index): Rule => {
    const { attributes } = range;
    const [lower, upper] = [numberFrom(attributes.get("lower")), numberFrom(attributes.get("upper"))];
    const label = attributes.get("label")?.trim() || `${lower} - ${upper}`;
    // the first range with the value draws it, as in QGIS
    const bounds = { ...(lower !== undefined && { gte: lower }), ...(upper !== undefined && { lte: upper }) };
    const at = `range ${index + 1} ${JSON.stringify(label.slice(0, 60))}`;
    return { name: label, where: { [column]: bounds }, styles: isShown(range) ? drawn(attributes.get("symbol"), at) : [], labels: [], group: 0, isOnly: true }; // oxfmt-ignore
  });
}

interface Outer {
  readonly where: JsonObject | undefined;
  readonly minScale?: number | undefined;
  readonly maxScale?: number | undefined;
}

/** Nested rules. A rule also has the conditions of the rules around it, whose symbols are painted below its own. */
function nested(
  parent: XmlElement | undefined,
  place: {
    readonly drawn: Drawn;
    readonly reading: Reading;
    readonly at: string;
    readonly outer: Outer;
    readonly around: readonly number[];
    readonly groups: { used: number };
  },
): readonly Rule[] {
  const { drawn, reading, at: before, outer, around, groups } = place;
  const group = groups.used++;
  return (parent?.children ?? [])
    .filter(({ name, attributes }) => name === "rule" && attributes.get("checkstate") !== "0")
    .flatMap((element, index): readonly Rule[] => {
      const { attributes } = element;
      const label = attributes.get("label")?.trim() || attributes.get("filter") || `Rule ${index + 1}`;
      const at = `${before}rule ${index + 1} ${JSON.stringify(label.slice(0, 60))}`;
      const filter = attributes.get("filter")?.trim() ?? "";
      const isElse = filter.toUpperCase() === "ELSE";
      const own = filter === "" || isElse ? undefined : expressionOf(filter, reading, at);
      if (own === null) return []; // a note says why
      const both = own && outer.where ? { and: [outer.where, own] } : (own ?? outer.where);
      const scale = (name: string): number | undefined => Number(attributes.get(name) ?? 0) || undefined;
      const minScale = Math.max(outer.minScale ?? 0, scale("scalemindenom") ?? 0) || undefined;
      const maxScale = Math.min(outer.maxScale ?? Infinity, scale("scalemaxdenom") ?? Infinity);
      const range = { minScale, maxScale: maxScale === Infinity ? undefined : maxScale };
      const styles = drawn(attributes.get("symbol"), at);
      const where = isElse ? { where: "else" as const, within: outer.where } : { where: both };
      const inner = isElse
        ? []
        : nested(element, { ...place, at: `${at} / `, outer: { where: both, ...range }, around: [...around, group] });
      if (isElse && element.children.some(({ name }) => name === "rule"))
        reading.notes.add(at, "the rules within ELSE are left out");
      const rule: Rule = { name: label, ...where, ...range, styles, labels: [], group, around };
      return styles.length > 0 ? [rule, ...inner] : inner;
    });
}
