/** CQL2 as it is written in text → the same in JSON (OGC 21-065r2 §8.3). */
import GeoJSON from "ol/format/GeoJSON.js";
import WKT from "ol/format/WKT.js";
import { parseText } from "../../server/filter/cql2/text.ts";
import type { Syntax } from "../../server/filter/cql2/syntax.ts";

function jsonOf(syntax: Syntax): unknown {
  switch (syntax.kind) {
    case "call":
      return { op: syntax.name, args: syntax.args.map(jsonOf) };
    case "property":
      return { property: syntax.name };
    case "text":
    case "boolean":
      return syntax.value;
    case "number":
      return Number(syntax.value);
    case "date":
    case "timestamp":
      return { [syntax.kind]: syntax.value };
    case "interval":
      return { interval: [syntax.start, syntax.end].map(endOf) };
    case "bbox":
      return { bbox: syntax.numbers };
    case "list":
      return syntax.items.map(jsonOf);
    case "geometry":
      return new GeoJSON().writeGeometryObject(new WKT().readGeometry(syntax.value));
  }
}

function endOf(syntax: Syntax | undefined): unknown {
  if (!syntax) return "..";
  return syntax.kind === "date" || syntax.kind === "timestamp" ? syntax.value : jsonOf(syntax);
}

export function cql2JsonOf(text: string): string {
  return JSON.stringify(jsonOf(parseText(text)));
}
