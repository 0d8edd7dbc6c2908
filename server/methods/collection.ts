/**
 * Methods over REST, `/methods` and `/methods/{names}`: stored ones are made, read, changed and removed under the
 * caller's own role; functions with the comment `@method` are read.
 */
import { z } from "zod";
import type { Identity, Transaction } from "../kernel/database/database.ts";
import { GatewayError, badInput, toGatewayError } from "../ground/errors.ts";
import { IGNORED_OF_SQL } from "../kernel/http/ignoredMembers.ts";
import { collectionResources } from "../kernel/rest/collection.ts";
import { flag, type Caller, type Resource } from "../kernel/rest/resource.ts";
import { foundType, methodChange, methodName, newMethod, type MethodChange, type NewMethod } from "./definition.ts";
import { OUTPUT_FORMATS } from "../formats/names.ts";
import type { Method } from "./method.ts";
import type { Methods } from "./methods.ts";
import { noTypeOf, readHints } from "./statement/typeHints.ts";

type MethodRecord = Readonly<Record<string, unknown>> & { readonly method: string };

/** Absent members get the defaults of `portolan.create_method`. `published` is set separately, because it is a right. */
const CREATE = `
select portolan.create_method(
  m.method, m.q, m.type_hints, m.type_formats, m.output_format, m.srs, m.description, m.timeout_ms, m.max_rows,
  m.cache_seconds)
from jsonb_to_recordset($1::jsonb) as m (
  method text, q text, type_hints jsonb, type_formats jsonb, output_format text, srs integer, description text,
  timeout_ms integer, max_rows integer, cache_seconds integer)`;
const UPDATE = "select portolan.update_method(name, $2::jsonb) from unnest($1::text[]) name";
const REMOVE = "select portolan.drop_method(name) from unnest($1::text[]) name";
const READ = `
select coalesce(json_agg(json_build_object(
  'method', m.method, 'q', m.q, 'type_hints', m.type_hints, 'type_formats', m.type_formats,
  'output_format', m.output_format, 'srs', m.srs, 'input_schema', m.input_schema, 'output_schema', m.output_schema,
  'owner', m.owner, 'published', m.published, 'description', m.description, 'timeout_ms', m.timeout_ms,
  'max_rows', m.max_rows, 'cache_seconds', m.cache_seconds)), '[]') as methods
from portolan.list_methods($1::text[], false) m
where m.callable or $1 is not null or $2`;

const texts = z.record(z.string(), z.string()).nullable();
const found = z.record(z.string(), foundType).nullable();
const shown = z.object({
  method: z.string(),
  q: z.string(),
  type_hints: texts,
  type_formats: texts,
  output_format: z.enum(OUTPUT_FORMATS),
  srs: z.int(),
  input_schema: found.meta({ description: "What a dry run has found of the parameters" }),
  output_schema: found.meta({ description: "What a dry run has found of the columns" }),
  owner: z.string().nullable(),
  published: z.boolean(),
  description: z.string().nullable(),
  timeout_ms: z.int().nullable(),
  max_rows: z.int().nullable(),
  cache_seconds: z.int().nullable(),
  function: z
    .object({ schema: z.string(), name: z.string() })
    .optional()
    .meta({ description: "Of a function with the comment @method only: it is changed in SQL" }),
});

export function methodResources(methods: Pick<Methods, "functions">): readonly Resource[] {
  /** The function with one of the names, if any. */
  const functionAmong = async (caller: Caller, names: readonly string[]): Promise<Method | undefined> =>
    (await methods.functions(caller, names)).find((method) => method.function);

  /** Runs `work`; throws `FORBIDDEN` where one of the names is a function's. */
  async function changing<T>(caller: Caller, names: readonly string[], work: Promise<T>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (toGatewayError(error).code !== "NOT_FOUND") throw error;
      const taken = await functionAmong(caller, names);
      if (!taken) throw error;
      throw new GatewayError(
        "FORBIDDEN",
        `The method ${taken.method} is the function ${nameOf(taken)}, whose comment says @method: change it in SQL`,
      );
    }
  }

  return collectionResources<NewMethod, MethodChange>({
    path: "/methods",
    noun: "method",
    name: methodName,
    description:
      "All that the caller may call, functions with the comment @method too, which are changed in SQL. For the owner and " +
      "super users to change; any change but of the description unpublishes a method, unless a super user makes it.",
    shown: shown.meta({ title: "Method" }),
    create: newMethod,
    change: methodChange,
    ignored: IGNORED_OF_SQL,

    query: {
      all: {
        description: "Whether a super user sees also what it may publish, but not call; default false",
        schema: flag,
      },
    },
    async list(caller, names, { all = "false" }) {
      const { rows } = await caller.transact((transaction) =>
        transaction.query<{ methods: MethodRecord[] }>({ text: READ, values: [names, all === "true"] }),
      );
      const stored = rows[0]?.methods ?? [];
      const others = names?.filter((name) => !stored.some(({ method }) => method === name)) ?? null;
      const functions = others?.length === 0 ? [] : await methods.functions(caller, others);
      for (const name of others ?? [])
        if (!functions.some(({ method }) => method === name))
          throw new GatewayError("NOT_FOUND", `there is no method ${JSON.stringify(name)}`);
      return [...stored, ...functions.map(toRecord)].sort((a, b) => (a.method < b.method ? -1 : 1));
    },

    async add(caller, items) {
      mustHaveLogin(caller.identity);
      const names = items.map(({ method }) => method);
      const taken = await functionAmong(caller, names);
      if (taken)
        throw new GatewayError("CONFLICT", `The method ${taken.method} exists: it is the function ${nameOf(taken)}`);
      await caller.transact(async (transaction) => {
        await checkHints(transaction, items);
        await transaction.query({ text: CREATE, values: [JSON.stringify(items)] });
        const published = items.filter((item) => item.published).map(({ method }) => method);
        if (published.length > 0) await transaction.query({ text: UPDATE, values: [published, '{"published":true}'] });
      });
      return names.map((name) => ({ name }));
    },

    async update(caller, names, change) {
      if (change.q !== undefined) mustHaveLogin(caller.identity);
      const updated = caller.transact(async (transaction) => {
        await checkHints(transaction, [change]);
        await transaction.query({ text: UPDATE, values: [names, JSON.stringify(change)] });
      });
      await changing(caller, names, updated);
    },

    async remove(caller, names) {
      const removed = caller.transact((transaction) => transaction.query({ text: REMOVE, values: [names] }));
      await changing(caller, names, removed);
    },
  });
}

function nameOf({ function: row }: Method): string {
  return `${row?.schema}.${row?.name}`;
}

/** Throws `FORBIDDEN` for an account that could not run the method that it defines. */
function mustHaveLogin({ roleMade }: Identity): void {
  if (!roleMade)
    throw new GatewayError(
      "FORBIDDEN",
      "Portolan did not make the role of this account and cannot log in as it, so the account cannot define methods",
    );
}

/** A function in the form of a stored method, and its identity. */
function toRecord({ method, q, outputFormat, srs, inputSchema, outputSchema, owner, published, ...more }: Method) {
  return {
    method,
    q,
    type_hints: null,
    type_formats: null,
    output_format: outputFormat,
    srs,
    input_schema: inputSchema ?? null,
    output_schema: outputSchema ?? null,
    owner,
    published,
    description: more.description,
    timeout_ms: null,
    max_rows: null,
    cache_seconds: null,
    function: { schema: more.function?.schema, name: more.function?.name },
  };
}

/** Throws `BAD_USER_INPUT` for a type that does not exist. */
async function checkHints(transaction: Transaction, items: readonly MethodChange[]): Promise<void> {
  const hints = items.flatMap(({ type_hints }) => Object.entries(type_hints ?? {}));
  const unknown = (await readHints(transaction, hints)).filter(({ oid }) => oid === null);
  if (unknown.length > 0) badInput(unknown.map(({ name, hint }) => noTypeOf(name, hint)).join("; "));
}
