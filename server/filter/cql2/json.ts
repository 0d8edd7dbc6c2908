/** CQL2 JSON → syntax, by the schema of OGC 21-065r2. */
import { isRawNumber, parseKeepingDigits } from "../../types/exactJson.ts";
import { isObject, type JsonObject } from "../../types/json.ts";
import { at, quote, show } from "../../types/show.ts";
import { checkDepth, checkTokens, fail, type Syntax } from "./syntax.ts";
import { intervalEnd } from "./text.ts";

/** How many arguments an operator takes. For other names the table of functions says it. */
const ARGUMENTS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  and: [2, Infinity],
  or: [2, Infinity],
  not: [1, 1],
  between: [3, 3],
  isnull: [1, 1],
  in: [2, 2],
};

/** Each of these members tells what an object is. */
const MEMBERS = ["op", "property", "date", "timestamp", "interval", "bbox", "type"] as const;

class JsonReader {
  #tokens = 0;

  read(json: unknown, path: string, depth: number): Syntax {
    checkTokens(++this.#tokens, path);
    checkDepth(depth, path);
    switch (typeof json) {
      case "string":
        return { kind: "text", value: json, at: path };
      case "number":
        return { kind: "number", value: String(json), at: path };
      case "boolean":
        return { kind: "boolean", value: json, at: path };
      default:
        return this.#structure(json, path, depth);
    }
  }

  #structure(json: unknown, path: string, depth: number): Syntax {
    if (isRawNumber(json)) return { kind: "number", value: json.rawJSON, at: path };
    if (Array.isArray(json)) return { kind: "list", items: this.#items(json, path, depth), at: path };
    if (!isObject(json)) return fail(path, `expected CQL2 JSON, got ${show(json)}`);
    const member = MEMBERS.find((name) => Object.hasOwn(json, name));
    return member === undefined
      ? fail(
          path,
          'expected an object with "op" and "args", "property", "date", "timestamp", "interval", "bbox", or a GeoJSON geometry',
        )
      : this.#object(member, json, path, depth);
  }

  #object(member: (typeof MEMBERS)[number], json: JsonObject, path: string, depth: number): Syntax {
    switch (member) {
      case "op":
        return this.#call(json, path, depth);
      case "property":
        return { kind: "property", name: textOf(json, member, path), at: path };
      case "date":
      case "timestamp":
        return { kind: member, value: textOf(json, member, path), at: path };
      case "interval":
        return this.#interval(json, path, depth);
      case "bbox":
        return { kind: "bbox", numbers: numbersOf(only(json, "bbox", path), at(path, "bbox")), at: path };
      case "type":
        return { kind: "geometry", value: json, at: path };
    }
  }

  #call(json: JsonObject, path: string, depth: number): Syntax {
    const { op, args } = json;
    const other = Object.keys(json).find((name) => name !== "op" && name !== "args");
    if (other !== undefined) fail(path, `an operation has no member ${quote(other)}`);
    if (typeof op !== "string") return fail(at(path, "op"), `expected the name of an operator, got ${show(op)}`);
    if (!Array.isArray(args)) return fail(at(path, "args"), `expected a list of arguments, got ${show(args)}`);
    const name = op.toLowerCase();
    const [least, most] = (Object.hasOwn(ARGUMENTS, name) && ARGUMENTS[name]) || [0, Infinity];
    if (args.length < least || args.length > most) {
      const expected = most === Infinity ? `${least} arguments or more` : `${least} arguments`;
      fail(at(path, "args"), `${quote(op)} takes ${expected}, got ${args.length}`);
    }
    return { kind: "call", name, args: this.#items(args, at(path, "args"), depth), at: path };
  }

  #items(list: readonly unknown[], path: string, depth: number): Syntax[] {
    return list.map((each, index) => this.read(each, at(path, index), depth + 1));
  }

  #interval(json: JsonObject, path: string, depth: number): Syntax {
    const ends = only(json, "interval", path);
    if (!Array.isArray(ends) || ends.length !== 2) return fail(path, "expected an interval of a start and an end");
    const [start, end] = this.#items(ends, at(path, "interval"), depth).map(intervalEnd);
    return { kind: "interval", start, end, at: path };
  }
}

function only(json: JsonObject, member: string, path: string): unknown {
  const other = Object.keys(json).find((name) => name !== member);
  if (other !== undefined) fail(path, `beside ${quote(member)} there is no member ${quote(other)}`);
  return json[member];
}

function textOf(json: JsonObject, member: string, path: string): string {
  const value = only(json, member, path);
  return typeof value === "string" ? value : fail(at(path, member), `expected a string, got ${show(value)}`);
}

function numbersOf(json: unknown, path: string): number[] {
  if (!Array.isArray(json)) return fail(path, `expected a list of numbers, got ${show(json)}`);
  return json.map((each: unknown, index) =>
    typeof each === "number" ? each : fail(at(path, index), `expected a number, got ${show(each)}`),
  );
}

/** Reads CQL2 JSON. Throws `Cql2Error`, whose places are paths that begin with `path`. */
export function readJson(json: unknown, path: string): Syntax {
  return new JsonReader().read(json, path, 1);
}

/** The value of JSON text, with all digits of its numbers. Throws `Cql2Error` at the index where it is no JSON. */
export function parseJson(source: string): unknown {
  try {
    return parseKeepingDigits(source);
  } catch {
    return fail(endOfJson(source), "expected CQL2 JSON, but this is not JSON");
  }
}

/** The place up to which `source` could be the beginning of a JSON text. */
function endOfJson(source: string): number {
  let [good, bad] = [0, source.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canGoOn(source.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const index = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated/.test(message) || Number(index) >= beginning.length;
  }
}
