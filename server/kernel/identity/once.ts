/** Ids that count once in all processes of the service: the `jti` of proofs and assertions. */
import { hash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { ProofIds } from "./proofIds.ts";

/** Whether an id has not been used before. The database remembers it for `seconds`. */
export async function isFirstUse({ db }: Database, id: string, seconds: number): Promise<boolean> {
  const { first } = await db.one<{ first: boolean }>("select portolan.use_id($1::uuid, $2) as first", [
    shortHashOf(id),
    Math.ceil(seconds),
  ]);
  return first;
}

const stores = new WeakMap<Database, ProofIds>();

/** Notes the id of a proof, whose key is part of it. Throws `RATE_LIMITED`, `UNAVAILABLE`. */
export function useProof(database: Database, id: string): ReturnType<ProofIds["use"]> {
  let store = stores.get(database);
  if (!store) stores.set(database, (store = new ProofIds(database.db)));
  return store.use(shortHashOf(id));
}

/** Stores the ids that were used in these databases, before their connections end. */
export async function closeProofs(databases: Iterable<Database>): Promise<void> {
  for (const database of databases) {
    const store = stores.get(database);
    stores.delete(database);
    await store?.close();
  }
}

/** 128 bits of SHA-256 in the form of a uuid. A second id with the same hash cannot be found. */
function shortHashOf(id: string): string {
  return hash("sha256", id, "hex").slice(0, 32);
}
