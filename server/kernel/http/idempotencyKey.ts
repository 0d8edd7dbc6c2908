/** The header Idempotency-Key, with which a write takes effect once. @see draft-ietf-httpapi-idempotency-key-header */
import type { IncomingMessage } from "node:http";
import { badInput, GatewayError } from "../../ground/errors.ts";
import type { Transaction } from "../database/database.ts";

/** Undefined where the request has none. Throws `BAD_USER_INPUT`. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))
    return badInput("Idempotency-Key: must have 1 to 255 visible characters of ASCII");
  return key;
}

/**
 * Makes sure that no other request with the key takes effect, whether it runs at present or comes later. Throws
 * `REPEATED` where one has.
 */
export async function claim(key: string, transaction: Pick<Transaction, "query">): Promise<void> {
  const { rows } = await transaction.query<{ is_first: boolean }>({
    text: "select portolan.claim_request($1) as is_first",
    values: [key],
  });
  if (!rows[0]!.is_first) throw new GatewayError("REPEATED");
}
