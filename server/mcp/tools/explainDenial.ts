/** `explain_denial`: why something was refused, or would be, and who can change that. */
import { z } from "zod";
import { CATALOGUE } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { contextOf, type Agent } from "../agent.ts";
import { tablesOf } from "../catalogue.ts";
import { lastRefusal } from "../presence.ts";
import { tableName, toolOf } from "./tool.ts";

const requests = ["select", "insert", "update", "delete"] as const;
type Request = (typeof requests)[number];

const input = z.strictObject({
  table: tableName.optional().describe('"schema.table". Default: that of the last refusal'),
  request: z.enum(requests).optional().describe("The request to check. Default: all four"),
});

const output = z.strictObject({
  lastRefusal: z.strictObject({ tool: z.string(), code: z.string(), message: z.string() }).optional(),
  table: z.string().optional(),
  answers: z
    .array(
      z.strictObject({
        request: z.enum(requests),
        allowed: z.enum(["yes", "in part", "no"]),
        why: z.array(z.string()),
        whoCanChangeIt: z.array(z.string()),
      }),
    )
    .optional(),
});

interface Explained {
  readonly usage: boolean;
  readonly owner: string;
  readonly requests: readonly {
    readonly request: Request;
    readonly granted: "yes" | "no" | "some columns";
    readonly access: "allow" | "limit" | "deny";
    readonly rule: number | null;
  }[];
  readonly row_security: boolean;
  readonly policies: readonly { readonly name: string; readonly restrictive: boolean; readonly request: string }[];
  readonly workflow: string | null;
}

export const explainDenial = toolOf({
  name: "explain_denial",
  title: "Explain a refusal",
  description:
    "Says why the last call was refused, or whether the account may do something with a table: which grant, rule or policy decides, and who can change it. {} asks why the last call was refused.",
  example: { right: "select", given: ({ table }) => ({ table, request: "delete" }) },
  input,
  output,
  async run(agent, { table: named, request }) {
    const last = named === undefined ? await lastRefusal(agent.database, agent.who) : undefined;
    const told = last ? { lastRefusal: { tool: last.tool, code: last.code, message: last.message } } : {};
    const name = named ?? last?.table;
    if (name === undefined) {
      if (last) return { structured: told };
      throw new GatewayError("NOT_FOUND", "No call was refused here. Name a table and a request");
    }
    const relation = await namesOf(agent, name);
    const throughTools = await explain(agent, relation, "mcp");
    if (!throughTools)
      throw new GatewayError("NOT_FOUND", `There is no table ${JSON.stringify(name)} that the account may see`);
    const throughSql = await explain(agent, relation, "sql");
    const asked = throughTools.requests.filter((one) => request === undefined || one.request === request);
    return {
      structured: {
        ...told,
        table: `${relation.schema}.${relation.name}`,
        answers: asked.map((one) => {
          const bySql = throughSql?.requests.find((other) => other.request === one.request);
          return toAnswer(agent, throughTools, one, bySql);
        }),
      },
    };
  },
});

async function namesOf(agent: Agent, name: string): Promise<{ readonly schema: string; readonly name: string }> {
  const known = (await tablesOf(agent)).find(
    (table) => table.name === name || `${table.schema}.${table.name}` === name,
  );
  if (known) return known;
  const [schema = "", ...rest] = name.split(".");
  return { schema, name: rest.join(".") };
}

async function explain(
  agent: Agent,
  { schema, name }: { readonly schema: string; readonly name: string },
  service: "mcp" | "sql",
): Promise<Explained | undefined> {
  if (!agent.schemas.includes(schema)) return undefined;
  const { rows } = await agent.database.withIdentity(
    agent.caller.identity,
    { ...contextOf(agent), service, reach: CATALOGUE },
    (transaction) =>
      transaction.query<{ explained: string | null }>({
        text: "select portolan.explain_denial($1, $2)::text as explained",
        values: [schema, name],
        last: true,
      }),
  );
  const text = rows[0]?.explained;
  return text == null ? undefined : (JSON.parse(text) as Explained);
}

const WRITES: readonly Request[] = ["insert", "update", "delete"];

function toAnswer(
  agent: Agent,
  explained: Explained,
  { request, granted, access, rule }: Explained["requests"][number],
  bySql: Explained["requests"][number] | undefined,
) {
  const { usage, owner, row_security: isByRow, policies, workflow } = explained;
  const why: string[] = [];
  const who: string[] = [];
  let allowed: "yes" | "in part" | "no" = "yes";
  const limit = (to: "in part" | "no"): void => {
    if (allowed !== "no") allowed = to;
  };
  if (!usage) {
    limit("no");
    why.push("The account has no right to use the schema");
    who.push("A super user, or the owner of the schema, can grant it");
  }
  if (granted === "no") {
    limit("no");
    why.push(`The account was not granted ${request}, directly or through a group`);
    who.push(`A super user, or the owner ${owner}, can grant it (portolan privilege set, or GRANT)`);
  } else if (granted === "some columns") {
    limit("in part");
    why.push(`The account was granted ${request} on some columns only; describe shows which`);
    who.push(`A super user, or the owner ${owner}, can grant it on more columns`);
  } else why.push(`The account was granted ${request}`);
  if (access !== "allow") {
    limit(access === "deny" ? "no" : "in part");
    const number = rule === null ? "A rule" : `The rule ${rule}`;
    why.push(access === "deny" ? `${number} denies it to agents` : `${number} limits it to certain rows`);
    who.push(`A super user can change the rule${rule === null ? "" : ` (portolan rule list shows ${rule})`}`);
  }
  if (bySql && bySql.access !== access && request === "select")
    why.push(`For the tool sql and for methods rules say ${bySql.access} besides (rule ${bySql.rule ?? "none"})`);
  const meant = policies.filter((policy) => policy.request === "all" || policy.request === request);
  if (isByRow && granted !== "no") {
    limit("in part");
    const names = meant.map(({ name, restrictive }) => `${name}${restrictive ? " (restrictive)" : ""}`);
    why.push(
      names.length > 0
        ? `Row security decides row by row, by the policies ${names.join(", ")}`
        : "Row security is on, and decides row by row",
    );
    who.push(`The owner ${owner} can change the policies`);
  }
  if (WRITES.includes(request) && workflow !== null)
    why.push(`The table has a workflow, in which the account is a ${workflow}`);
  if (WRITES.includes(request) && !agent.mayWrite) {
    limit("no");
    why.push("The access token does not have the scope mcp:write");
    who.push("The person that the agent acts for can agree to it: the client has to ask for the scope mcp:write");
  }
  return { request, allowed, why, whoCanChangeIt: who };
}
