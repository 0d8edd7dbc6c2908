import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { besideCode } from "../ground/packageDirectory.ts";

/** Passwords of the demo's accounts, as text or as hashes (argon2, bcrypt, scrypt). */
export interface DemoPasswords {
  readonly captain: string;
  readonly guest: string;
}

type Step = (client: pg.ClientBase, passwords: DemoPasswords) => Promise<void>;

const folder = besideCode("sql/demo");

const steps: readonly Step[] = [
  addPostgis,
  runFile("01_tables.sql"),
  copyFile("countries.csv", "world.country_rows"),
  copyFile("cities.csv", "world.city_rows"),
  runFile("02_rows.sql"),
  runFile("03_functions.sql"),
  createAccounts,
  runFile("04_rights.sql"),
];

/**
 * Builds schema `world` with its rows and the accounts `captain` (super user) and `guest`, in one transaction: all or
 * nothing. `client` is logged in as the owner of a migrated database without the demo, outside a transaction, and may
 * become `owner@<database>`. Throws what PostgreSQL raises, after a rollback.
 */
export async function loadDemo(client: pg.ClientBase, passwords: DemoPasswords): Promise<void> {
  await client.query("begin");
  try {
    for (const step of steps) await step(client, passwords);
    await client.query("commit");
  } catch (error) {
    // a connection that is gone cannot roll back, and need not: the first error says why
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Whether the database holds the demo: `loadDemo` either made all of it or nothing. */
export async function hasDemo(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('world.cities') is not null as found");
  return rows[0]?.found ?? false;
}

async function addPostgis(client: pg.ClientBase): Promise<void> {
  await client.query("create extension if not exists postgis with schema public");
}

function runFile(name: string): Step {
  return async (client) => {
    await client.query(await readFile(path.join(folder, name), "utf8"));
  };
}

/** `target`: a table with its columns in the order of the file, as SQL. */
function copyFile(name: string, target: string): Step {
  return async (client) => {
    const copy = client.query(copyFrom(`copy ${target} from stdin (format csv, header)`));
    await pipeline(createReadStream(path.join(folder, name)), copy);
  };
}

async function createAccounts(client: pg.ClientBase, passwords: DemoPasswords): Promise<void> {
  await client.query("select portolan.create_user('captain', $1, superuser => true)", [passwords.captain]);
  await client.query("select portolan.create_user('guest', $1)", [passwords.guest]);
}
