/**
 * Methods as a collection: stored ones are made, read, changed and removed under the caller's own role; functions with
 * the comment `@method` are read.
 */
import type { Database, Identity, Transaction } from "../kernel/database/database.ts";
import { IGNORED_OF_SQL, withoutIgnored } from "../kernel/http/ignoredMembers.ts";
import { GatewayError, badInput, toGatewayError } from "../kernel/errors.ts";
import { z } from "zod";
import { check, methodChange, methodName, newMethod, type MethodChange } from "./definition.ts";
import type { CallContext, Method } from "./method.ts";
import type { Methods } from "./methods.ts";

export interface CollectionOptions {
  readonly methods: Pick<Methods, "functions">;
  databaseOf(identity: Identity): Database;
}

type MethodRecord = Readonly<Record<string, unknown>> & { readonly method: string };

const MAX_ITEMS = 1000;

/** Absent members get the defaults of `portolan.create_method`; `published` is set on its own, for it is a right. */
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
from portolan.list_methods($1::text[], false) m`;

export function methodCollection({ methods, databaseOf }: CollectionOptions) {
  function transact<T>(
    { identity, address }: CallContext,
    callback: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return databaseOf(identity).withIdentity(identity, { service: "rpc", address }, callback);
  }

  /** Throws `FORBIDDEN` for an account that could not run what it defines. */
  function mustHaveLogin({ roleMade }: Identity): void {
    if (!roleMade)
      throw new GatewayError(
        "FORBIDDEN",
        "The role of this account was not made by Portolan and cannot log in for it, so that it cannot define methods",
      );
  }

  /** Throws `CONFLICT` where one of the names is that of a function. */
  async function mustBeFree(caller: CallContext, items: readonly { readonly method: string }[]): Promise<void> {
    const names = items.map(({ method }) => method);
    const [first] = await methods.functions(caller, names);
    if (!first?.function) return;
    const { schema, name } = first.function;
    throw new GatewayError("CONFLICT", `The method ${first.method} exists: it is the function ${schema}.${name}`);
  }

  /** `work`, which throws `FORBIDDEN` where one of the names is that of a function. */
  async function changing<T>(caller: CallContext, names: readonly string[], work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (toGatewayError(error).code !== "NOT_FOUND") throw error;
      const [first] = await methods.functions(caller, names);
      if (!first?.function) throw error;
      const { schema, name } = first.function;
      throw new GatewayError(
        "FORBIDDEN",
        `The method ${first.method} is the function ${schema}.${name}, whose comment says @method: change it in SQL`,
      );
    }
  }

  return {
    /** All that may be called, one as an object, several as an array. Throws `NOT_FOUND` when one is unknown. */
    async read(caller: CallContext, segment: string | undefined): Promise<unknown> {
      const names = segment === undefined ? null : namesOf(segment);
      const { rows } = await transact(caller, (transaction) =>
        transaction.query<{ methods: MethodRecord[] }>({ text: READ, values: [names] }),
      );
      const stored = rows[0]?.methods ?? [];
      const others = names?.filter((name) => !stored.some(({ method }) => method === name)) ?? null;
      const functions = others?.length === 0 ? [] : await methods.functions(caller, others);
      const all = [...stored, ...functions.map(toRecord)].sort((a, b) => (a.method < b.method ? -1 : 1));
      for (const name of others ?? [])
        if (!functions.some(({ method }) => method === name))
          throw new GatewayError("NOT_FOUND", `there is no method ${JSON.stringify(name)}`);
      return names?.length === 1 ? all[0] : all;
    },

    /** Makes one or several, all or none. Gives their names. */
    async add(caller: CallContext, body: unknown): Promise<string[]> {
      mustHaveLogin(caller.identity);
      const given = Array.isArray(body)
        ? check(z.array(newMethod).min(1).max(MAX_ITEMS), body)
        : [check(newMethod, body)];
      const items = given.map((item) => withoutIgnored(item, IGNORED_OF_SQL));
      await mustBeFree(caller, items);
      await transact(caller, async (transaction) => {
        await checkHints(transaction, items);
        await transaction.query({ text: CREATE, values: [JSON.stringify(items)] });
        const published = items.filter((item) => item.published).map(({ method }) => method);
        if (published.length > 0) await transaction.query({ text: UPDATE, values: [published, '{"published":true}'] });
      });
      return items.map(({ method }) => method);
    },

    /** Changes members of all the named methods or of none. Gives the names. */
    async update(caller: CallContext, segment: string, body: unknown): Promise<string[]> {
      const names = namesOf(segment);
      const changes = withoutIgnored(check(methodChange, body), IGNORED_OF_SQL);
      if (changes.q !== undefined) mustHaveLogin(caller.identity);
      const updated = transact(caller, async (transaction) => {
        await checkHints(transaction, [changes]);
        await transaction.query({ text: UPDATE, values: [names, JSON.stringify(changes)] });
      });
      await changing(caller, names, updated);
      return names;
    },

    /** Removes all the named methods or none. */
    async remove(caller: CallContext, segment: string): Promise<void> {
      const names = namesOf(segment);
      const removed = transact(caller, (transaction) => transaction.query({ text: REMOVE, values: [names] }));
      await changing(caller, names, removed);
    },
  };
}

/** A function as a stored method is shown, and which it is. */
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

/** Throws `BAD_USER_INPUT` for a type that is not there. */
async function checkHints(transaction: Transaction, items: readonly MethodChange[]): Promise<void> {
  const hints = items.flatMap(({ type_hints }) => Object.entries(type_hints ?? {}));
  if (hints.length === 0) return;
  const { rows } = await transaction.query<{ n: number }>({
    text: "select n::integer - 1 as n from unnest($1::text[]) with ordinality as t (h, n) where to_regtype(h) is null",
    values: [hints.map(([, type]) => type)],
  });
  const unknown = rows.map(({ n }) => `type_hints: ${hints[n]![0]}: there is no type ${JSON.stringify(hints[n]![1])}`);
  if (unknown.length > 0) badInput(unknown.join("; "));
}

/** The names in a path segment, each once. Throws `NOT_FOUND` for what can be no name. */
function namesOf(segment: string): string[] {
  const names = segment.split(",").map((text) => {
    if (!methodName.safeParse(text).success)
      throw new GatewayError("NOT_FOUND", `There is no method ${JSON.stringify(text)}`);
    return text;
  });
  return [...new Set(names)];
}
