/** The checks of a database for an operator, each with its remedy. This file lists them; those beside it make them. */
import type pg from "pg";
import type { Finding } from "../../ground/finding.ts";
import type { DatabaseConfig } from "../../kernel/config.ts";
import { makeClient, SET_JIT_OFF, SET_SEARCH_PATH, SHARDS_IN_TURN } from "../../kernel/database/database.ts";
import { isMigrated } from "../migrate.ts";
import {
  codeOfAuthors,
  legacyClient,
  loginRights,
  openDoors,
  ownerRights,
  roles,
  rulesHold,
  searchPath,
  seesStatements,
} from "./access.ts";
import { checked, type Check } from "./check.ts";
import { citus } from "./citus.ts";
import { accessToPortolan, ownParts, restored, rights, state, upToDate } from "./ownSchema.ts";
import { clock, leakproof, pgcrypto, postgis, serverVersion, unaccent } from "./postgres.ts";
import { certificate, connection, passwordsAreAsked, pooler, poolLogin, servers, standbys } from "./servers.ts";

/** Checks one database under its gateway login. Throws when it does not answer. */
export async function diagnose(config: DatabaseConfig, schemas: readonly string[] | undefined): Promise<Finding[]> {
  const client = makeClient({ connectionString: config.url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(SET_SEARCH_PATH);
    await client.query(SET_JIT_OFF);
    await client.query(SHARDS_IN_TURN);
    await client.query("set lock_timeout = '2s'"); // another session's DDL must not delay the checks
    const mayAsk = await accessToPortolan(client);
    const migrated = !mayAsk.ok ? false : await isMigrated((text) => client.query(text));
    const checks: readonly Check[] = [
      ["error", "operating.md#supported-versions", serverVersion],
      ["error", "operating.md#poolers-and-standbys", () => connection(config)],
      ["error", "operating.md#several-servers", () => servers(config)],
      ["error", "operating.md#certificates", () => certificate(config, client)],
      ["error", "operating.md#poolers-and-standbys", () => pooler(config)],
      ["warning", "operating.md#standbys-for-reads", () => standbys(config)],
      ["error", "operating.md#supported-versions", postgis],
      ["error", "operating.md#back-up-and-restore", () => mayAsk],
      ...(mayAsk.ok ? [["error", "database.md", () => upToDate(migrated)] as const] : []),
      ["warning", "database.md", loginRights],
      ["warning", "gis.md", leakproof],
      ["warning", "operating.md#health-and-metrics", clock],
      ...(migrated ? checksOfMigrated(client, config, schemas) : []),
    ];
    const findings: Finding[] = [];
    for (const [severity, page, check] of checks)
      for (const finding of [await checked(check, client)].flat()) findings.push({ severity, page, ...finding });
    return findings;
  } finally {
    await client.end();
  }
}

/** Problems that schema portolan and its own tables show, which a start reports too. `client`: the gateway's login. */
export async function findingsOfOwn(client: pg.Client): Promise<readonly Finding[]> {
  const all = [await checked(rights, client), await checked(ownParts, client), await checked(state, client)];
  return all.flat().filter(({ ok }) => !ok);
}

/** Checks that only a migrated database can answer. */
function checksOfMigrated(client: pg.Client, config: DatabaseConfig, schemas: readonly string[] | undefined): Check[] {
  return [
    ["error", "operating.md#back-up-and-restore", restored],
    ["error", "operating.md#back-up-and-restore", rights],
    ["error", "operating.md#what-doctor-compares", ownParts],
    ["error", "operating.md#what-doctor-compares", state],
    ["warning", "database.md", pgcrypto],
    ["warning", "gis.md", unaccent],
    ["error", "operating.md#back-up-and-restore", roles],
    ["warning", "database.md", () => ownerRights(client, schemas)],
    ["error", "access.md", rulesHold],
    ["warning", "access.md", codeOfAuthors],
    ["warning", "database.md", openDoors],
    ["warning", "operating.md#requests-and-statements", seesStatements],
    ["error", "database.md", () => passwordsAreAsked(client, config)],
    ["error", "database.md", searchPath],
    ["warning", "tokens.md", legacyClient],
    ["error", "access.md", () => poolLogin(client, config)],
    ["error", "cluster.md", citus],
  ];
}
