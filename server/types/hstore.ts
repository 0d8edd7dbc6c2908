/** Values of the extension hstore: outside an object of strings and nulls, in PostgreSQL `"a"=>"1", "b"=>NULL`. */
import { badInput } from "../ground/errors.ts";
import type { ColumnType } from "./columnType.ts";
import { isObject, storableText } from "./json.ts";
import { at, show } from "./show.ts";

const PAIR = /"((?:[^"\\]|\\.)*)"=>(?:"((?:[^"\\]|\\.)*)"|NULL)/gs;

/** PostgreSQL's text → JSON text. */
export function hstoreToJson(text: string): string {
  const string = (quoted: string): string => JSON.stringify(quoted.replaceAll(/\\(.)/gs, "$1"));
  const members = [...text.matchAll(PAIR)].map(
    ([, key, value]) => `${string(key!)}:${value === undefined ? "null" : string(value)}`,
  );
  return `{${members.join(",")}}`;
}

/** JSON, or PostgreSQL's own text → that text. Throws `BAD_USER_INPUT`. */
export function hstoreToText(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  if (!isObject(json)) return badInput(`${path}: expected an object of strings and nulls, got ${show(json)}`);
  const string = (text: string, where: string): string => `"${storableText(text, where).replaceAll(/["\\]/g, "\\$&")}"`;
  const pairs = Object.entries(json).map(([key, value]) => {
    const where = at(path, key);
    if (value === null) return `${string(key, where)}=>NULL`;
    if (typeof value !== "string") return badInput(`${where}: expected a string or null, got ${show(value)}`);
    return `${string(key, where)}=>${string(value, where)}`;
  });
  return pairs.join(",");
}
