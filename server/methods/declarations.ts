/** The TypeScript declarations of stored methods, for a caller or, on the command line, of all. */
import { readStatement } from "./statement.ts";
import type { Method } from "./method.ts";
import { declarations, type Declared } from "./typescript.ts";

/** The module's text. `methods`: with the types that dry runs have found. */
export function declareMethods(methods: readonly Method[]): string {
  return declarations(methods.map(toDeclared));
}

function toDeclared(method: Method): Declared {
  const { inputSchema, outputSchema, description, outputFormat } = method;
  return {
    method: method.method,
    description,
    outputFormat,
    parameters: parametersOf(method),
    inputSchema,
    outputSchema,
  };
}

/** None where somebody has written a statement that is none: a call says so. */
function parametersOf({ q }: Method): readonly string[] {
  try {
    return readStatement(q).parameters;
  } catch {
    return [];
  }
}
