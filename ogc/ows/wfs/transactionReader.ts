/**
 * Reads a transaction as it arrives (OGC 09-025r2 §15, 04-094 §11). Each feature is reduced to its values when it is
 * complete.
 */
import { badInput } from "../../../server/ground/errors.ts";
import { isGmlElement, readGml } from "../../../server/types/gml.ts";
import { quote } from "../../../server/types/show.ts";
import type { XmlElement } from "../../../server/types/xml.ts";

/** The value of a property: text, null, or a geometry as JSON text with its ordinates unchanged, and its system. */
export type PropertyValue = string | null | { readonly geometry: string; readonly srsName: string | undefined };

/** A feature in an Insert or Replace. */
export interface GivenFeature {
  readonly name: string;
  readonly namespace: string;
  readonly gmlId: string | undefined;
  /** Names of its properties in XML, without prefix. Features with the same properties share one array. */
  readonly names: readonly string[];
  readonly values: readonly PropertyValue[];
}

export interface Action {
  readonly kind: "Insert" | "Update" | "Replace" | "Delete" | "Native";
  readonly element: XmlElement;
  /** The features of an Insert or Replace. */
  readonly features: readonly GivenFeature[];
}

const KINDS: ReadonlySet<string> = new Set(["Insert", "Update", "Replace", "Delete", "Native"]);
const MEMBERS: ReadonlySet<string> = new Set(["featureMember", "featureMembers", "member"]);
/** Children of Insert and Replace that are not features. */
const OTHERS: ReadonlySet<string> = new Set(["Filter", "FeatureCollection"]);

export class TransactionReader {
  readonly actions: Action[] = [];
  readonly #names = new Map<string, readonly string[]>();
  readonly #words = new Map<string, string>();
  #features: GivenFeature[] = [];

  /**
   * Takes an element, for `XmlOptions.take`. Throws `BAD_USER_INPUT` for a feature with a value that cannot be read.
   */
  take(element: XmlElement, around: readonly string[]): boolean {
    if (around.length === 1) {
      if (!KINDS.has(element.name)) return badInput(`There is no action ${quote(element.name)}`);
      this.actions.push({ kind: element.name as Action["kind"], element, features: this.#features });
      this.#features = [];
      return true;
    }
    if (!isPlaceOfFeatures(around) || OTHERS.has(element.name)) return false;
    this.#features.push(this.#featureOf(element));
    return true;
  }

  #featureOf({ name, namespace, attributes, children }: XmlElement): GivenFeature {
    // a table has no place for names, descriptions and envelopes of GML
    const properties = children.filter((child) => !isGmlElement(child));
    const key = properties.map((property) => property.name).join(" ");
    let names = this.#names.get(key);
    if (!names) this.#names.set(key, (names = properties.map((property) => property.name)));
    return {
      name: this.#word(name),
      namespace: this.#word(namespace),
      gmlId: attributes.get("id") ?? attributes.get("fid"),
      names,
      values: properties.map(valueIn),
    };
  }

  #word(text: string): string {
    const known = this.#words.get(text);
    if (known === undefined) this.#words.set(text, text);
    return known ?? text;
  }
}

function isPlaceOfFeatures([, action = "", collection, member, ...more]: readonly string[]): boolean {
  if (action !== "Insert" && action !== "Replace") return false;
  if (collection === undefined) return true;
  return collection === "FeatureCollection" && member !== undefined && MEMBERS.has(member) && more.length === 0;
}

/** The value in an element: of a property, or of an Update. Throws `BAD_USER_INPUT`. */
export function valueIn(element: XmlElement): PropertyValue {
  const { attributes, children, text, name } = element;
  if (attributes.get("nil") === "true") return null;
  const [only, ...more] = children;
  if (attributes.has("href")) badInput(`${name}: refers to another place, which is not read: write the value here`);
  if (!only) return text;
  if (more.length > 0 || !isGmlElement(only))
    badInput(`${name}: expected text or one geometry, got ${quote(only.name)}`);
  const { json, srsName } = readGml(only);
  return { geometry: JSON.stringify(json), srsName };
}
