/** A gateway over a database full of an author's code, and helpers that drive its doors. */
import { agentToken } from "../support/agent.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import type { Account, Door, Values } from "./doors.ts";
import { kindsSql } from "./kinds.ts";
import { Notes, targetsIn, trapFunctions, wrongIn } from "./notes.ts";

export const AUTHOR = "trap_author";
export const ACCOUNTS: readonly Account[] = ["eve", "captain", "anonymous"];

export class TrappedGateway {
  readonly gateway: TestGateway;
  /** The traps that have sprung so far. */
  readonly sprung = new Set<string>();
  readonly #notes: Notes;
  readonly #tokens = new Map<Account, string>();
  /** The same for the agents' door. */
  readonly #agentTokens = new Map<Account, string>();
  /** The roles that the login of each may become by itself, according to PostgreSQL. */
  readonly #roles = new Map<Account, readonly string[]>();
  /** The last import of each account into each table. */
  readonly #imports = new Map<string, Values>();
  readonly #downloads = new Map<string, string>();
  #number = 1000;

  private constructor(gateway: TestGateway, notes: Notes) {
    this.gateway = gateway;
    this.#notes = notes;
  }

  static async start(): Promise<TrappedGateway> {
    const gateway = await testGateway({
      kind: "portolan",
      config: {
        schemas: ["app", "ours"],
        ogc: { transactions: true, downloads: true, stylesWrite: true },
        mcp: true,
        mcpAnonymous: true,
        smtpUrl: "log:",
      },
      prepare: async (database) => {
        const { hostname, port } = new URL(database.url);
        await database.client.query(`
create role ${AUTHOR} login password 'author';
create schema app authorization ${AUTHOR};
select portolan.create_user('captain', null, superuser => true), portolan.create_user('eve', null),
  portolan.create_user('victim', null);
set session authorization ${AUTHOR};
${trapFunctions("app", targetsIn(database, AUTHOR))}
reset session authorization;
${kindsSql(AUTHOR, { host: decodeURIComponent(hostname), port, name: database.name })}`);
      },
    });
    const trapped = new TrappedGateway(gateway, await Notes.open());
    for (const account of ACCOUNTS) await trapped.#admit(account);
    return trapped;
  }

  async #admit(account: Account): Promise<void> {
    if (account !== "anonymous") {
      this.#tokens.set(account, await this.gateway.token(account));
      this.#agentTokens.set(account, await agentToken(this.gateway, account));
    }
    const { rows } = await this.gateway.database.client.query<{ role: string }>(
      "select rolname as role from pg_roles where pg_has_role($1, oid, 'member')",
      [this.loginOf(account)],
    );
    this.#roles.set(
      account,
      rows.map(({ role }) => role),
    );
  }

  loginOf(account: Account): string {
    return `${account}@${this.gateway.database.name}`;
  }

  tokenOf(account: Account): string | undefined {
    return this.#tokens.get(account);
  }

  /**
   * The faults of all code that has run since the last call, as `account`; without one, of all code but the author's
   * own. `reads`: the caller asked for nothing but reads.
   */
  wrong(account?: Account, { reads = false } = {}): readonly string[] {
    const of = {
      login: account === undefined ? "" : this.loginOf(account),
      author: AUTHOR,
      roles: (account && this.#roles.get(account)) ?? [],
      reads,
    };
    return this.#notes.take().flatMap((note) => {
      this.sprung.add(note.what);
      return wrongIn(note, of) ?? [];
    });
  }

  async ask(account: Account, method: string, path: string, { body, type }: Pick<Door, "body" | "type"> = {}) {
    const isAgent = path.startsWith("/mcp/");
    const token = isAgent ? this.#agentTokens.get(account) : this.tokenOf(account);
    const response = await fetch(this.gateway.baseUrl + path, {
      method,
      redirect: "manual",
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": type ?? "application/json" }),
        ...(isAgent && { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Keeps the instant of an import, which its undo names. */
  noteImport(table: string, account: Account, text: string): void {
    const { at, rows } = JSON.parse(text) as { at: string | null; rows: number };
    if (at !== null) this.#imports.set(`${table} ${account}`, { at, rows });
  }

  /** Keeps the id of a file when it is made: the code of the author runs in the background. */
  async noteDownload(table: string, account: Account, text: string): Promise<void> {
    const { id, href } = JSON.parse(text) as { id: string; href: string };
    const path = new URL(href).pathname;
    await until(async () => (await this.ask(account, "GET", path)).status !== 202);
    this.#downloads.set(`${table} ${account}`, id);
  }

  /** Waits until no pyramid is to be made: the code of the author runs in the background. */
  async untilTilesMade(): Promise<void> {
    const { client } = this.gateway.database;
    await until(async () => {
      const { rows } = await client.query<{ state: string; error: string | null }>(
        "select j.state, j.error from portolan.jobs j where j.kind = 'tiles' and j.state <> 'stopped'",
      );
      const failed = rows.find(({ state }) => state === "failed");
      if (failed) throw new Error(failed.error ?? "a pyramid failed");
      return rows.every(({ state }) => state === "done");
    });
  }

  /** A number that no row has. */
  get number(): number {
    return ++this.#number;
  }

  /** The values of paths and bodies. */
  valuesOf(table: string, account: Account): Values {
    const [schema = "", name = ""] = table.split(".");
    return {
      account,
      at: new Date().toISOString(),
      before: new Date(Date.now() - 3_600_000).toISOString(),
      collectionId: table,
      column: "more",
      constraint: "one",
      database: this.gateway.database.name,
      featureId: "1",
      downloadId: this.#downloads.get(`${table} ${account}`) ?? "0".repeat(32),
      fontStack: "Noto Sans",
      glyphRange: "0-255.pbf",
      id: 1,
      index: "by_t",
      method: `of_${name}_${account}`,
      n: this.number,
      name: `of-${name}-captain`,
      names: "none",
      now: new Date().toISOString(),
      panel: 1,
      pid: 1,
      schema,
      sprite: "sprite.json",
      style: "default",
      styleId: "default",
      table: name,
      tileCol: 0,
      tileMatrix: 0,
      tileMatrixSetId: "WebMercatorQuad",
      tileRow: 0,
      type: "depth",
      ...this.#imports.get(`${table} ${account}`),
    };
  }

  async close(): Promise<void> {
    this.#notes.close();
    await this.gateway.close();
  }
}

/** Puts values in place of their names in braces. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (match, name: string) => String(values[name] ?? match));
