import type pg from "pg";

/** A connection of its own; its loss ends every pending query. */
export class ReaderSession {
  readonly client: pg.Client;
  readonly #lost: Promise<never>;

  constructor(connection: { readonly client: unknown }, lost: Promise<never>) {
    this.client = connection.client as pg.Client;
    this.#lost = lost;
  }

  async query(text: string): Promise<void> {
    await Promise.race([this.client.query(text), this.#lost]);
  }

  async rows<Row>(statement: string | pg.QueryConfig, values?: unknown[]): Promise<Row[]> {
    const config = typeof statement === "string" ? { text: statement, values: values ?? [] } : statement;
    const { rows } = (await Promise.race([this.client.query(config), this.#lost])) as { rows: Row[] };
    return rows;
  }
}
