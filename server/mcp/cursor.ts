/** Cursors of tools: the place where a list continues, valid for the account that got it. */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { Database } from "../kernel/database/database.ts";
import { badInput } from "../ground/errors.ts";
import type { Agent } from "./agent.ts";

const MARK_BYTES = 16;

/** The content of a cursor: the arguments of the call, and the place where it continues. */
export interface Place {
  readonly tool: string;
  readonly arguments: unknown;
  readonly at: string | number;
}

export async function toCursor(agent: Agent, place: Place): Promise<string> {
  const text = Buffer.from(JSON.stringify(place)).toString("base64url");
  return `${text}.${(await markOf(agent, text)).toString("base64url")}`;
}

/** Throws `BAD_USER_INPUT` for text that is not a cursor, and for a cursor of another tool or account. */
export async function fromCursor(agent: Agent, tool: string, cursor: string): Promise<Place> {
  const [text = "", mark = "", ...more] = cursor.split(".");
  const given = Buffer.from(mark, "base64url");
  const wanted = await markOf(agent, text);
  if (more.length > 0 || given.length !== MARK_BYTES || !timingSafeEqual(given, wanted))
    badInput("cursor: is not a cursor that this account got here: start again without it");
  const place = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Place;
  if (place.tool !== tool) badInput(`cursor: belongs to the tool ${place.tool}`);
  return place;
}

async function markOf({ database, caller }: Agent, text: string): Promise<Buffer> {
  const key = await database.memory.of(database, readKey);
  const of = JSON.stringify([database.name, caller.identity.name, caller.identity.role, text]);
  return createHmac("sha256", key).update(of).digest().subarray(0, MARK_BYTES);
}

/** The same in all processes that serve the database. */
async function readKey({ db }: Database): Promise<KeyObject> {
  const { secret } = await db.one<{ secret: string }>("select portolan.secrets() ->> 'own_sql_secret' as secret");
  return createSecretKey(createHmac("sha256", secret).update("cursors of agents").digest());
}
