/**
 * The role that ran the code of an author, and the roles that it could become there. The code notes that in the log of
 * the server: a line there survives a ROLLBACK, and a read-only transaction may write it too.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { testCluster, type TestDatabase } from "../support/databases.ts";

export interface Note {
  /** The kind of code. */
  readonly what: string;
  readonly current: string;
  readonly session: string;
  /** The roles that it could become. */
  readonly became: readonly string[];
  /** Whether its transaction could write. */
  readonly writes: boolean;
  /** Whether it could read the private keys, as any of them. */
  readonly keys: boolean;
}

const MARK = "sprung: ";
/** One line may contain lines of several sessions. */
const TOLD = new RegExp(`${MARK}(\\{.*?"keys" : (?:true|false)\\})`, "g");

/**
 * `trap(what)` notes and returns true; `of(what, value)` returns its value. `mark(what)` tries nothing: when PostgreSQL
 * calls it, an index is locked, and an exception would unlock that. The author makes them, in its schema.
 */
export const trapFunctions = (schema: string, targets: readonly string[]): string => `
create function ${schema}.trap(what text) returns boolean language plpgsql volatile as $$
declare
  v_was constant name := current_user;
  v_told constant text := coalesce(current_setting('trap.told', true), '');
  v_became text[] := '{}';
  v_keys boolean := false;
  v_role text;
  v_setting text;
begin
  if position(format('<%s %s>', v_was, what) in v_told) > 0 then
    return true; -- once in a transaction is enough
  end if;
  perform set_config('trap.told', v_told || format('<%s %s>', v_was, what), true);
  begin
    perform portolan.secrets();
    v_keys := true;
  exception when others then null;
  end;
  foreach v_role in array array[${targets.map((role) => `'${role}'`).join(", ")}] loop
    foreach v_setting in array case when v_role in ('postgres', 'gateway') then '{role,session_authorization}'::text[] else '{role}' end loop
      begin
        perform set_config(v_setting, v_role, true);
        if current_user <> v_was then
          v_became := v_became || current_user::text;
        end if;
        perform portolan.secrets();
        v_keys := true;
        raise exception 'undone';
      exception when others then null; -- which undoes it
      end;
    end loop;
  end loop;
  raise log '${MARK}%', json_build_object('what', what, 'current', current_user, 'session', session_user,
    'became', array(select distinct r from unnest(v_became) r order by r), 'writes', current_setting('transaction_read_only') = 'off', 'keys', v_keys);
  return true;
end $$;
create function ${schema}.mark(what text) returns boolean language plpgsql volatile as $$
begin
  raise log '${MARK}%', json_build_object('what', what, 'current', current_user, 'session', session_user, 'became', '{}'::text[],
    'writes', current_setting('transaction_read_only') = 'off', 'keys', false);
  return true;
end $$;
create function ${schema}.of(what text, value int) returns int language plpgsql immutable as $$
begin
  perform ${schema}.trap(what);
  return value;
end $$;`;

export class Notes {
  readonly #file: number;
  #offset: number;

  private constructor(file: string) {
    this.#file = openSync(file, "r");
    this.#offset = fstatSync(this.#file).size;
  }

  /** The notes from now on. */
  static async open(): Promise<Notes> {
    return new Notes(join((await testCluster()).directory, "postgres.log"));
  }

  /** The notes since the last call, each once. */
  take(): Note[] {
    const told = [...this.#read().matchAll(TOLD)].map(([, text = ""]) => text);
    return [...new Set(told)].map((text) => JSON.parse(text) as Note);
  }

  #read(): string {
    const { size } = fstatSync(this.#file);
    if (size < this.#offset) this.#offset = 0; // it was emptied, since it was long
    const chunk = Buffer.alloc(size - this.#offset);
    this.#offset += readSync(this.#file, chunk, 0, chunk.length, this.#offset);
    return chunk.toString();
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** All roles that code may try to become. */
export const targetsIn = ({ name }: Pick<TestDatabase, "name">, author: string): readonly string[] => [
  "none",
  "postgres",
  "gateway",
  `.pool@${name}`,
  `owner@${name}`,
  `victim@${name}`,
  `captain@${name}`,
  `eve@${name}`,
  author,
];

export interface Expected {
  readonly login: string;
  readonly author: string;
  readonly roles: readonly string[];
  /** Whether the caller asked for nothing but a read. */
  readonly reads?: boolean;
}

/** The fault of a note while `account` is the caller; undefined for none. */
export function wrongIn(
  { what, current, session, became, writes, keys }: Note,
  { login, author, roles, reads = false }: Expected,
): string | undefined {
  const told = `${what} ran as ${current} of session ${session}`;
  if (keys) return `${told}, and could read the keys`;
  const isOwn = session === author; // of its own connections, and of its foreign servers
  const isVacuum = session === "postgres" && current === author; // ANALYZE, as the owner
  if (session !== login && !isOwn && !isVacuum) return told;
  if (current !== login && current !== author) return told;
  if (reads && writes && session === login) return `${told}, and could write, though the caller only reads`;
  const more = became.filter((role) => !roles.includes(role) && role !== login && !(isOwn && role === author));
  return more.length > 0 ? `${told}, and could become ${more.join(", ")}` : undefined;
}
