/** Explains what an account may do with a table, and what it would see: runs as that account, and rolls back. */
import { z } from "zod";
import {
  CATALOGUE,
  quoteIdentifier,
  sessionSettings,
  untrusted,
  type Identity,
  type RequestContext,
  type Transaction,
} from "../kernel/database/database.ts";
import { badInput, GatewayError, SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import { SERVICES } from "../ground/services.ts";
import { audit } from "../kernel/identity/audit.ts";
import { accountIdentity } from "../kernel/identity/identity.ts";
import { findAccount } from "../kernel/identity/tokens.ts";
import { taking, type Caller, type Resource } from "../kernel/rest/resource.ts";
import { parseKeepingDigits } from "../types/exactJson.ts";
import { newRule } from "./rules.ts";
import { accountName } from "./users.ts";

const MAX_KEYS = 100;
/** For the keys, and again for the count. */
const TIMEOUT_MS = 5000;
/** While rules are tried, readers of the tables that they name wait. */
const TIMEOUT_OF_TRIED_RULES_MS = 1500;

const requests = ["select", "insert", "update", "delete"] as const;

const question = z
  .strictObject({
    account: accountName,
    relation: z.string().min(3).max(300).meta({ description: "schema.table, quoted as SQL wants it" }),
    service: z.enum(SERVICES).default("graphql").meta({ description: "The interface; rpc means sql. Default graphql" }),
    ip: z
      .union([z.ipv4(), z.ipv6()])
      .optional()
      .meta({ description: "The address. Default none: deny and limit rules of a network match, allow rules do not" }),
    rules: z
      .array(newRule)
      .max(1000)
      .optional()
      .meta({ description: "All rules to try in place of the present ones; they are rolled back" }),
  })
  .meta({ title: "AccessQuestion" });
type Question = z.infer<typeof question>;

const reason = z.object({
  name: z.string(),
  applies: z.string().meta({ description: "yes, no, some columns, or when" }),
  meaning: z.string(),
});
const reasons = z.array(reason);

const answer = z
  .object({
    account: z.string().meta({ description: "As what role, and of which groups it is a member" }),
    grants: reasons,
    rules: reasons.meta({ description: "In the order of evaluation" }),
    policies: reasons.meta({ description: "The team's own, and Portolan's" }),
    others: z
      .array(reason.extend({ subject: z.string() }))
      .meta({ description: "Row security, workflow, history, problems" }),
    decisions: z.array(
      z.object({
        request: z.enum(requests),
        granted: z.boolean(),
        access: z.enum(["allow", "limit", "deny"]).meta({ description: "The decision of the rules" }),
        rule: z.int().nullable().meta({ description: "The rule that decides; null: no rule matches, which allows" }),
      }),
    ),
    columns: z.array(z.string()).meta({ description: "Those that it may select" }),
    count: z
      .int()
      .nullable()
      .meta({ description: "The number of rows that it sees; null where counting takes too long" }),
    keys: z
      .array(z.record(z.string(), z.unknown()))
      .nullable()
      .meta({ description: `The first ${MAX_KEYS} of them; null: no key that it may select, or it takes too long` }),
  })
  .meta({ title: "AccessAnswer" });

export const accessResources: readonly Resource[] = [
  {
    path: "/access/explain",
    tag: "access",
    parameters: {},
    operations: {
      POST: taking(question as z.ZodType<Question>, {
        id: "explain_access",
        summary:
          "See as an account: what decides its access, and which rows of a table it sees through an interface, from an address",
        description:
          "Everything runs as that account and is rolled back. With rules, the answer is that of other rules; readers of their tables wait meanwhile, a few seconds at most. Each question is in the audit. For super users.",
        status: 200,
        shown: answer,
        run: async (caller, _parameters, body) => ({ status: 200, body: await explain(caller, body) }),
      }),
    },
  },
];

interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
}

async function explain(caller: Caller, asked: Question): Promise<z.infer<typeof answer>> {
  const { database, identity: by, service, address } = caller;
  // which table it reads, and under which rules, is found out within the transaction
  const context = { service, address, reach: CATALOGUE, runsMore: true };
  return database.withIdentity(by, context, async (transaction) => {
    transaction.rollbackOnly();
    const relation = await findRelation(caller, transaction, asked.relation);
    await audit(database, {
      event: "access.explained",
      account: asked.account,
      address,
      details: {
        by: by.name,
        relation: asked.relation,
        service: asked.service,
        ...(asked.ip !== undefined && { ip: asked.ip }),
        ...(asked.rules && { rules: asked.rules }),
      },
    });
    const reach = [{ ...relation, request: "select" }] as const;
    const author = await database.authorOf(reach);
    if (asked.rules && author) throw untrusted(author);
    if (asked.rules) await tryRules(transaction, asked.rules);
    const explained = await explainTo(transaction, asked.account, relation);
    const account = await findAccount(database, asked.account);
    if (!account) throw new GatewayError("NOT_FOUND", `There is no account ${JSON.stringify(asked.account)}`);
    const identity = accountIdentity(database, account);
    if (author) {
      const asAccount = { ...contextOf(asked), readOnly: true, timeoutMs: TIMEOUT_MS, reach };
      const seen = await database.withIdentity(identity, asAccount, (own) => see(own, relation));
      return { ...explained, ...seen };
    }
    await become(transaction, by, identity, asked);
    return { ...explained, ...(await see(transaction, relation)) };
  });
}

/** Throws `FORBIDDEN` for a caller who is no super user. */
async function findRelation(caller: Caller, transaction: Transaction, text: string): Promise<Relation> {
  const { rows } = await transaction.query<Relation & { parts: number }>({
    text: `
select c.oid::text, n.nspname as schema, c.relname as name
from parse_ident($1) i (parts), lateral portolan.relation_of(i.parts[1], i.parts[2]) r (oid)
  join pg_class c on c.oid = r.oid join pg_namespace n on n.oid = c.relnamespace
where cardinality(i.parts) = 2`,
    values: [text],
  });
  const [relation] = rows;
  if (!relation) badInput("relation must be the name of a schema, a dot, and the name of a table");
  if (!caller.schemas.includes(relation.schema))
    throw new GatewayError("NOT_FOUND", `There is no schema ${JSON.stringify(relation.schema)}`);
  return relation;
}

/** Rules without a number come after all others of their priority, as they do when they are made. */
async function tryRules(transaction: Transaction, rules: NonNullable<Question["rules"]>): Promise<void> {
  let last = Math.max(0, ...rules.map(({ id = 0 }) => id));
  const named = Object.fromEntries(rules.map(({ id, ...members }) => [String(id ?? ++last), members]));
  if (Object.keys(named).length < rules.length) badInput("rules: two have the same id");
  await transaction.query({
    text: "select from portolan.apply_configuration($1, prune => true, dry => false)",
    values: [JSON.stringify({ rules: named })],
  });
}

type Reason = z.infer<typeof reason>;

async function explainTo(transaction: Transaction, account: string, { oid }: Relation) {
  const { rows } = await transaction.query<Reason & { subject: string }>({
    text: "select subject, name, applies, meaning from portolan.explain_access($1, $2::oid)",
    values: [account, oid],
  });
  const of = (...subjects: string[]): Reason[] =>
    rows.filter(({ subject }) => subjects.includes(subject)).map(({ subject: _subject, ...rest }) => rest);
  const told = ["account", "grant", "rule", "policy", "policy of Portolan"];
  return {
    account: of("account")[0]?.meaning ?? "",
    grants: of("grant"),
    rules: of("rule"),
    policies: of("policy", "policy of Portolan"),
    others: rows.filter(({ subject }) => !told.includes(subject)),
  };
}

function contextOf({ service, ip }: Question): Pick<RequestContext, "service" | "address"> {
  return { service: service === "rpc" ? "sql" : service, address: ip };
}

/** From here on the transaction has only the account's claims, and none of the caller's. */
async function become(transaction: Transaction, from: Identity, to: Identity, asked: Question): Promise<void> {
  const context = contextOf(asked);
  const cleared = sessionSettings(from, context).map(([name]): [string, string] => [name, ""]);
  const settings = new Map([
    ...cleared,
    ...sessionSettings(to, context),
    ["statement_timeout", String(asked.rules ? TIMEOUT_OF_TRIED_RULES_MS : TIMEOUT_MS)] as const,
    ["role", to.role] as const,
  ]);
  await transaction.query({
    text: "select set_config(s.name, s.value, true) from unnest($1::text[], $2::text[]) s (name, value)",
    values: [[...settings.keys()], [...settings.values()]],
  });
}

const DECISIONS = `
select json_build_object(
  'request', k.request,
  'granted', has_schema_privilege(c.relnamespace, 'usage') and case k.request
    when 'delete' then has_table_privilege(c.oid, 'delete')
    else has_any_column_privilege(c.oid, k.request)
  end,
  'access', portolan.access($1::oid, k.request),
  'rule', (
    select r.id from portolan.my_rules r
    where r.relation = $1::oid and r.command = k.command::"char" and not (select m.superuser from portolan.me m)
    order by r.priority, r.id limit 1))::text as json
from (values ('select', 'r'), ('insert', 'a'), ('update', 'w'), ('delete', 'd')) k (request, command)
  join pg_class c on c.oid = $1::oid`;

interface Seen {
  readonly rights: readonly string[];
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly rights: readonly string[] }[];
}

async function see(transaction: Transaction, { oid, schema, name }: Relation) {
  const decided = await transaction.query<{ json: string }>({ text: DECISIONS, values: [oid] });
  const listed = await transaction.query<{ json: string }>({
    text: "select row_to_json(t)::text as json from portolan.list_tables($1, $2) t",
    values: [schema, name],
  });
  const table = listed.rows[0] ? (JSON.parse(listed.rows[0].json) as Seen) : { rights: [], key: [], columns: [] };
  const columns = table.columns.filter(({ rights }) => rights.includes("select")).map((column) => column.name);
  const decisions = decided.rows.map(({ json }) => JSON.parse(json) as z.infer<typeof answer>["decisions"][number]);
  const rows =
    columns.length === 0 ? { keys: [], count: 0 } : await readRows(transaction, { schema, name }, table, columns);
  return { decisions, columns, ...rows };
}

async function readRows(
  transaction: Transaction,
  relation: Pick<Relation, "schema" | "name">,
  { key }: Seen,
  columns: readonly string[],
): Promise<{ keys: Record<string, unknown>[] | null; count: number | null }> {
  const from = `${quoteIdentifier(relation.schema)}.${quoteIdentifier(relation.name)}`;
  const listed = key.map(quoteIdentifier).join(", ");
  let keys: Record<string, unknown>[] | null = null;
  try {
    if (key.length > 0 && key.every((column) => columns.includes(column))) {
      const { rows } = await transaction.query<{ json: string }>({
        text: `select row_to_json(k)::text as json from (select ${listed} from ${from} order by ${listed} limit ${MAX_KEYS}) k`,
      });
      keys = rows.map(({ json }) => parseKeepingDigits(json) as Record<string, unknown>);
    }
    const { rows } = await transaction.query<{ count: string }>({
      text: `select count(*)::text as count from ${from}`,
    });
    return { keys, count: Number(rows[0]?.count) };
  } catch (error) {
    if (sqlstateOf(error) !== SQLSTATE.queryCanceled) throw error;
    return { keys, count: null };
  }
}
