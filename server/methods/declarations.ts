/** The TypeScript declarations of stored methods, for a caller or, on the command line, of all. */
import type { Database } from "../kernel/database/database.ts";
import { parserIsReady, readStatement } from "./statement/statement.ts";
import { toMethod, type MethodRow } from "./store.ts";
import type { Method } from "./method.ts";
import { declarations, type Declared } from "./typescript.ts";

/** The module's text. `methods`: with the types that dry runs have found. */
export function declareMethods(methods: readonly Method[]): string {
  return declarations(methods.map(toDeclared));
}

/** For all stored methods, whatever the caller may call. `database`: opened as the owner. */
export async function declareAll({ db }: Database): Promise<string> {
  await parserIsReady;
  const rows = await db.any<MethodRow>(
    "select l.* from portolan.list_methods(array(select m.method from portolan.methods m)) l",
  );
  return declareMethods(rows.map(toMethod));
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

/** Empty for a text that is not a statement: a call reports that. */
function parametersOf({ q }: Method): readonly string[] {
  try {
    return readStatement(q).parameters;
  } catch {
    return [];
  }
}
