/** Stored methods that can no longer run, for `portolan doctor`: DDL does not check who uses a table. */
import { setImmediate as others } from "node:timers/promises";
import type { Database } from "../kernel/database/database.ts";
import type { Finding } from "../ground/finding.ts";
import { parserIsReady, readStatement } from "./statement/statement.ts";

/** Methods that are read before other work gets a turn. */
const AT_ONCE = 50;

/**
 * The broken methods among those that the database's login may see: methods that are not a valid statement, which older
 * versions accepted, and methods that name a missing table. Names without a schema are not checked.
 */
export async function methodFindings({ db }: Pick<Database, "db">): Promise<Finding[]> {
  await parserIsReady;
  const methods = await db.any<{ method: string; q: string }>(
    "select m.method, m.q from portolan.methods m order by m.method",
  );
  const named = new Map<string, readonly string[]>();
  const unreadable: Finding[] = [];
  for (const [index, { method, q }] of methods.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await others();
    const relations = relationsOf(q);
    if (typeof relations === "string") unreadable.push(unreadableMethod(method, relations));
    else for (const name of relations) named.set(name, [...(named.get(name) ?? []), method]);
  }
  const gone = await db.any<{ name: string }>(
    `
select n.name
from unnest($1::text[]) n (name)
where not exists (
  select from pg_class c join pg_namespace s on s.oid = c.relnamespace
  where json_build_array(s.nspname, c.relname)::jsonb = n.name::jsonb)
order by n.name`,
    [[...named.keys()]],
  );
  if (gone.length === 0 && unreadable.length === 0)
    return [{ ok: true, text: "the tables that stored methods name are there", remedy: [] }];
  const ofTables = gone.map(({ name }) => {
    const methodNames = named.get(name) ?? [];
    return {
      ok: false,
      page: "methods.md",
      text: `there is no ${(JSON.parse(name) as string[]).join(".")}, which stored methods name: ${methodNames.join(", ")}`,
      remedy: methodNames.map((method) => `npx portolan method remove ${method}`),
    };
  });
  return [...unreadable, ...ofTables];
}

function unreadableMethod(method: string, problem: string): Finding {
  return {
    ok: false,
    page: "methods.md",
    text: `the stored method ${method} cannot be called: ${problem}`,
    remedy: [`npx portolan method remove ${method}`],
  };
}

/** `[schema, name]` as JSON, or why the text is not a statement. */
function relationsOf(q: string): readonly string[] | string {
  try {
    return readStatement(q).relations.flatMap((parts) => (parts.length === 2 ? JSON.stringify(parts) : []));
  } catch (error) {
    return (error as Error).message;
  }
}
