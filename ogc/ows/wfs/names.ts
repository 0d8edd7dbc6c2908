/** Names of types, properties and features in XML, and the namespaces of each version of WFS. */
import { CollectionNotFound } from "../../collections/access.ts";
import type { Collection } from "../../collections/collections.ts";
import { featureIdOf } from "../../features/feature.ts";
import type { FeatureKey } from "../../features/encoding.ts";

/** The differences between the versions of WFS. */
export interface Dialect {
  readonly wfs: string;
  readonly wfsSchema: string;
  readonly gml: string;
  readonly gmlSchema: string;
  readonly ows: string;
  /** Whether geometries need ids (GML 3.2.1 §7.2.4.5). */
  readonly hasIds: boolean;
  /** The media type of its GML. */
  readonly mediaType: string;
}

export const DIALECTS: Readonly<Record<string, Dialect>> = {
  "2.0.0": {
    wfs: "http://www.opengis.net/wfs/2.0",
    wfsSchema: "http://schemas.opengis.net/wfs/2.0/wfs.xsd",
    gml: "http://www.opengis.net/gml/3.2",
    gmlSchema: "http://schemas.opengis.net/gml/3.2.1/gml.xsd",
    ows: "http://www.opengis.net/ows/1.1",
    hasIds: true,
    mediaType: "application/gml+xml; version=3.2",
  },
  "1.1.0": {
    wfs: "http://www.opengis.net/wfs",
    wfsSchema: "http://schemas.opengis.net/wfs/1.1.0/wfs.xsd",
    gml: "http://www.opengis.net/gml",
    gmlSchema: "http://schemas.opengis.net/gml/3.1.1/base/gml.xsd",
    ows: "http://www.opengis.net/ows",
    hasIds: false,
    mediaType: "text/xml; subtype=gml/3.1.1",
  },
};

/** The version of WFS in which QGIS writes where it reads 2.0.0 (OGC 02-058): only transactions have it. */
export const EARLIEST = "1.0.0";

/** The prefix of the names of types and properties. */
export const PREFIX = "p";

/** The last character of Unicode. */
const LAST_CHARACTER = 0x10ffff;
const START = /^[A-Za-z_]$|[^\x00-\x7f]/;
const INSIDE = /^[A-Za-z0-9._-]$|[^\x00-\x7f]/;
const ESCAPED = /^_x[0-9A-F]{4,6}_/;
/** A name that XML can have as it is, as most are; `_x` could be one that was escaped. */
const PLAIN = /^(?!.*_x)[A-Za-z_][A-Za-z0-9._-]*$/;

/** A valid XML name (Namespaces in XML §3). Other characters become `_xHHHH_`, as in SQL/XML. */
export function toXmlName(name: string): string {
  if (PLAIN.test(name)) return name;
  let written = "";
  let rest = name;
  for (const character of name) {
    const isKept = (written === "" ? START : INSIDE).test(character) && !ESCAPED.test(rest);
    written += isKept ? character : `_x${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}_`;
    rest = rest.slice(character.length);
  }
  return written;
}

export function fromXmlName(text: string): string {
  return text.replace(/_x([0-9A-F]{4,6})_/g, (whole, code: string) => {
    const number = Number.parseInt(code, 16);
    return number <= LAST_CHARACTER ? String.fromCodePoint(number) : whole;
  });
}

/**
 * The id of a feature in all documents: that of its type, a point, and its key; undefined for a feature without key.
 */
export function gmlIdOf({ id }: Pick<Collection, "id">, key: FeatureKey): string | undefined {
  const text = featureIdOf(key);
  return text === undefined ? undefined : toXmlName(`${id}.${text}`);
}

/** The key in such an id; undefined for an id of another type. */
export function keyOfId({ id }: Pick<Collection, "id">, gmlId: string): string | undefined {
  const text = fromXmlName(gmlId);
  return text.startsWith(`${id}.`) ? text.slice(id.length + 1) : undefined;
}

/** A name without its prefix. */
export function localName(text: string): string {
  return fromXmlName(text.slice(text.indexOf(":") + 1));
}

/**
 * The id of the collection that a type's name means. Any prefix is accepted, unless `namespaceOf` gives another
 * namespace for it. Throws `COLLECTION_NOT_FOUND` then.
 */
export function typeNamed(
  text: string,
  namespaceOf: (prefix: string) => string | undefined,
  namespace: string,
): string {
  const name = text.trim().replace(/^schema-element\((.*)\)$/, "$1");
  const colon = name.indexOf(":");
  const known = colon < 0 ? undefined : namespaceOf(name.slice(0, colon));
  if (known !== undefined && known !== namespace) throw new CollectionNotFound(text);
  return localName(name);
}
