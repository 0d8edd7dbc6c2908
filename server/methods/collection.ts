/** Stored methods as a collection: made, read, changed and removed under the caller's own role. */
import type { Database, Identity, Transaction } from "../database.ts";
import { GatewayError, badInput } from "../errors.ts";
import { z } from "zod";
import { check, methodChange, methodName, newMethod, type MethodChange } from "./definition.ts";

interface Caller {
  readonly identity: Identity;
  readonly address: string | undefined;
}

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
from portolan.list_methods($1::text[]) m`;

export function methodCollection(databaseOf: (identity: Identity) => Database) {
  function transact<T>({ identity, address }: Caller, callback: (transaction: Transaction) => Promise<T>): Promise<T> {
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

  return {
    /** All that may be called, one as an object, several as an array. Throws `NOT_FOUND` when one is unknown. */
    async read(caller: Caller, segment: string | undefined): Promise<unknown> {
      const names = segment === undefined ? null : namesOf(segment);
      const { rows } = await transact(caller, (transaction) =>
        transaction.query<{ methods: unknown[] }>({ text: READ, values: [names] }),
      );
      const methods = rows[0]?.methods ?? [];
      return names?.length === 1 ? methods[0] : methods;
    },

    /** Makes one or several, all or none. Gives their names. */
    async add(caller: Caller, body: unknown): Promise<string[]> {
      mustHaveLogin(caller.identity);
      const items = Array.isArray(body)
        ? check(z.array(newMethod).min(1).max(MAX_ITEMS), body)
        : [check(newMethod, body)];
      await transact(caller, async (transaction) => {
        await checkHints(transaction, items);
        await transaction.query({ text: CREATE, values: [JSON.stringify(items)] });
        const published = items.filter((item) => item.published).map(({ method }) => method);
        if (published.length > 0) await transaction.query({ text: UPDATE, values: [published, '{"published":true}'] });
      });
      return items.map(({ method }) => method);
    },

    /** Changes members of all the named methods or of none. Gives the names. */
    async update(caller: Caller, segment: string, body: unknown): Promise<string[]> {
      const names = namesOf(segment);
      const changes = check(methodChange, body);
      if (changes.q !== undefined) mustHaveLogin(caller.identity);
      await transact(caller, async (transaction) => {
        await checkHints(transaction, [changes]);
        await transaction.query({ text: UPDATE, values: [names, JSON.stringify(changes)] });
      });
      return names;
    },

    /** Removes all the named methods or none. */
    async remove(caller: Caller, segment: string): Promise<void> {
      await transact(caller, (transaction) => transaction.query({ text: REMOVE, values: [namesOf(segment)] }));
    },
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
