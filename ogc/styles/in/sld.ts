/** SLD 1.0 and 1.1 (Symbology Encoding) → classes. Nothing that a document refers to is fetched. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { parseFes } from "../../../server/filter/fes/parse.ts";
import type { JsonObject } from "../../../server/types/json.ts";
import { childOf, parseXml, type XmlElement } from "../../../server/types/xml.ts";
import { localName } from "../../ows/wfs/names.ts";
import type { Document, Reading } from "./reading.ts";
import type { Rule } from "./rules.ts";
import { symbolizer } from "./symbolizers.ts";
import { Inexpressible, shapeOf, whereOf } from "./where.ts";

/** Reads a style. Throws `BAD_USER_INPUT` for a document that is neither SLD nor Symbology Encoding. */
export function readSld(text: string, reading: Reading): Document {
  const root = parseXml(text, { mixed: true });
  const { notes } = reading;
  const styles = userStyles(root, reading);
  const [style] = styles;
  if (!style) throw new GatewayError("BAD_USER_INPUT", "The document has no UserStyle, FeatureTypeStyle or Rule");
  if (styles.length > 1) notes.add("", `of ${styles.length} styles the first is taken`);
  const rules = typeStyles(style).flatMap((typeStyle, group) => rulesOf(typeStyle, group, reading));
  return { rules, title: titleOf(style) };
}

/** The styles of the layer that has the collection's name. If there is only one layer, its name does not matter. */
function userStyles(root: XmlElement, { collection, notes }: Reading): readonly XmlElement[] {
  if (["FeatureTypeStyle", "Rule", "CoverageStyle"].includes(root.name)) return [root];
  const layers = root.children.filter(({ name }) => name === "NamedLayer" || name === "UserLayer");
  if (layers.some((layer) => childOf(layer, "RemoteOWS", "InlineFeature")))
    notes.add("UserLayer", "inline or remote data of a style is not read; the collection is drawn");
  const named = layers.filter((layer) => [collection.id, collection.relation].includes(localName(childOf(layer, "Name")?.text.trim() ?? ""))); // oxfmt-ignore
  const own = named.length > 0 ? named : layers;
  if (own.length < layers.length || own.length > 1)
    notes.add("", `of ${layers.length} layers the first of ${collection.id} is taken`);
  const within = own[0]?.children ?? [];
  if (within.some(({ name }) => name === "NamedStyle")) notes.add("NamedStyle", "an external style is not read");
  const all = within.filter(({ name }) => name === "UserStyle");
  const first = all.find((style) => /^(1|true)$/.test(childOf(style, "IsDefault")?.text.trim() ?? ""));
  return first ? [first, ...all.filter((each) => each !== first)] : all;
}

function typeStyles(style: XmlElement): readonly XmlElement[] {
  return style.name === "UserStyle" ? style.children.filter(({ name }) => name === "FeatureTypeStyle") : [style];
}

function titleOf(style: XmlElement): string | undefined {
  const description = childOf(style, "Description");
  const title = (childOf(style, "Title") ?? (description && childOf(description, "Title")))?.text.trim();
  return title === "" ? undefined : title?.slice(0, 200);
}

const KNOWN = new Set(
  "Rule Name Title Description Abstract FeatureTypeName SemanticTypeIdentifier OnlineResource".split(" "),
);

function rulesOf(typeStyle: XmlElement, group: number, reading: Reading): Rule[] {
  const { notes } = reading;
  const rules = typeStyle.name === "Rule" ? [typeStyle] : typeStyle.children.filter(({ name }) => name === "Rule");
  for (const child of typeStyle.name === "Rule" ? [] : typeStyle.children)
    if (child.name === "OnlineResource") notes.add("FeatureTypeStyle", "an external style is not read");
    else if (!KNOWN.has(child.name)) notes.add("FeatureTypeStyle", `${child.name} is left out`);
  return rules.flatMap((rule, index) => readRule(rule, { index, group }, reading) ?? []);
}

function readRule(
  rule: XmlElement,
  { index, group }: { readonly index: number; readonly group: number },
  reading: Reading,
): Rule | undefined {
  const { notes } = reading;
  const description = childOf(rule, "Description");
  const title = childOf(rule, "Title") ?? (description && childOf(description, "Title"));
  const name = (title ?? childOf(rule, "Name"))?.text.trim() || `Rule ${index + 1}`;
  const own = childOf(rule, "Name")?.text.trim() || name;
  const at = `Rule ${index + 1} ${JSON.stringify(own.slice(0, 100))}`;
  const where = conditionOf(rule, at, reading);
  if (where === LEFT_OUT) return undefined;
  const styles: JsonObject[] = [];
  const labels: JsonObject[] = [];
  for (const child of rule.children) {
    if (child.name.endsWith("Symbolizer")) {
      const { drawings, label } = symbolizer(child, `${at} / ${child.name}`, reading);
      styles.push(...drawings);
      if (label) labels.push(label);
    } else if (child.name === "LegendGraphic") notes.add(at, "LegendGraphic is left out: legends show the symbols");
    else if (!/^(Name|Title|Abstract|Description|Filter|ElseFilter|M(in|ax)ScaleDenominator)$/.test(child.name))
      notes.add(at, `${child.name} is left out`);
  }
  const scale = (of: string): number | undefined => {
    const denominator = Number(childOf(rule, of)?.text ?? NaN);
    return Number.isFinite(denominator) && denominator > 0 ? denominator : undefined;
  };
  // GeoServer writes the largest possible scale for no limit
  const [minScale, maxScale] = [scale("MinScaleDenominator"), scale("MaxScaleDenominator")];
  return {
    name: own,
    where,
    minScale,
    maxScale: maxScale && maxScale > 1e12 ? undefined : maxScale,
    styles,
    labels,
    group,
  };
}

const LEFT_OUT = Symbol("left out");

function conditionOf(rule: XmlElement, at: string, { collection, notes }: Reading): Rule["where"] | typeof LEFT_OUT {
  if (childOf(rule, "ElseFilter")) return "else";
  const filter = childOf(rule, "Filter");
  if (!filter) return undefined;
  try {
    const condition = parseFes(filter, shapeOf(collection), {
      nameOf: (name) => localName(name),
      geometry: collection.geometry?.name,
      axesOf: () => {
        throw new Inexpressible("a condition on a place");
      },
      ofIds: () => {
        throw new Inexpressible("a condition on ids");
      },
    });
    return condition && whereOf(condition);
  } catch (error) {
    if (!(error instanceof Inexpressible) && !(error instanceof GatewayError)) throw error;
    notes.add(`${at} / Filter`, `the rule is left out, since its condition is not understood: ${error.message}`);
    return LEFT_OUT;
  }
}
