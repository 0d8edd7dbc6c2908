/**
 * A style from another program, in any of the formats → the classes of `set_style`, with notes on the parts that are
 * left out.
 */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { Collection } from "../../collections/collections.ts";
import { Ground } from "./ground.ts";
import { readMapLibre } from "./mapLibre.ts";
import { Notes, type Note } from "./notes.ts";
import { parseJson, type Document, type Reading } from "./reading.ts";
import { readQml } from "./qml.ts";
import type { ClassJson } from "./rules.ts";
import { readSld } from "./sld.ts";

/** The formats that can be read, by their names. */
export const STYLE_FORMATS = ["sld", "qml", "mbs", "json"] as const;
export type StyleFormat = (typeof STYLE_FORMATS)[number];

export interface ReadStyle {
  readonly classes: readonly ClassJson[];
  readonly title: string | undefined;
  /** Notes on parts that are left out; empty where nothing is. */
  readonly notes: readonly Note[];
}

const READERS: Readonly<Record<Exclude<StyleFormat, "json">, (text: string, reading: Reading) => Document>> = {
  sld: readSld,
  qml: readQml,
  mbs: readMapLibre,
};

/**
 * Reads a style. `json`: the classes themselves. Throws `BAD_USER_INPUT` for a document of another kind, and for one
 * with a document type declaration.
 */
export function readStyleDocument(text: string, format: StyleFormat, collection: Collection): ReadStyle {
  if (format === "json") return { classes: parseJson(text) as ClassJson[], title: undefined, notes: [] };
  const notes = new Notes();
  const ground = new Ground(collection);
  const read = (): Document => READERS[format](text.replace(/^\uFEFF/, ""), { collection, notes, ground });
  const classes = ground.classesOf(() => read().rules, collection, notes);
  if (!classes.some(({ styles, labels }) => styles.length + labels.length > 0))
    throw new GatewayError("BAD_USER_INPUT", `Nothing of the style can be drawn: ${notes.all.map(({ at, message }) => `${at}: ${message}`).join("; ").slice(0, 1000)}`); // oxfmt-ignore
  return { classes, title: read().title, notes: notes.all };
}

/** The format that a text seems to have. Throws `BAD_USER_INPUT`. */
export function guessFormat(text: string): StyleFormat {
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (start.startsWith("[")) return "json";
  if (start.startsWith("{")) return "mbs";
  if (/<qgis[\s>]/.test(start.slice(0, 2000))) return "qml";
  if (start.startsWith("<")) return "sld";
  throw new GatewayError(
    "BAD_USER_INPUT",
    "The style is neither SLD nor QML nor a style for MapLibre nor a list of classes",
  );
}
