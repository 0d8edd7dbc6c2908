/** The audit of what agents write. */
import { audit } from "../kernel/identity/audit.ts";
import type { Agent } from "./agent.ts";

/** `rows`: undefined where the tool does not report them. */
export async function noteWrite(
  { database, caller: { identity, address } }: Agent,
  details: { readonly tool: string; readonly table?: string; readonly rows?: number | undefined },
): Promise<void> {
  const clientId = identity.claims["client_id"];
  await audit(database, {
    event: "agent.wrote",
    account: identity.name,
    clientId: typeof clientId === "string" ? clientId : undefined,
    address,
    details,
  });
}
