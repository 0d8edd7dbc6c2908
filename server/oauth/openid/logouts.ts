/**
 * OpenID Connect Back-Channel Logout 1.0: clients are notified that a session has ended. PostgreSQL keeps the pending
 * notices, so that any process can send them, and repeat those that a client did not answer.
 */
import { randomUUID } from "node:crypto";
import { audit } from "../../kernel/identity/audit.ts";
import type { Database } from "../../kernel/database/database.ts";
import { sign } from "../../kernel/identity/tokens.ts";
import type { Kernel } from "../../kernel.ts";
import { fetchPublic } from "../../kernel/http/publicFetch.ts";
import { count } from "../metrics.ts";
import { findClient, privateHostsOf } from "../clients.ts";
import { subjectFor, type SubjectSource } from "./claims.ts";

const MAX_ATTEMPTS = 5;
/** §2.6: a logout token is short-lived. */
const LIFETIME_SECONDS = 120;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

interface Logout extends SubjectSource {
  readonly id: string;
  readonly clientId: string;
  readonly account: string;
  readonly sid: string;
  readonly attempts: number;
}

/** For each kernel, the logout requests that it is sending. */
const running = new WeakMap<Kernel, Set<Promise<void>>>();

/** Sends the logout tokens that are due, in the background. Never throws. */
export function sendLogouts(kernel: Kernel, database: Database): void {
  const all = running.get(kernel) ?? new Set();
  running.set(kernel, all);
  const one = sendDue(kernel, database)
    .catch((error: unknown) => {
      kernel.log.warn(
        { err: error, database: database.name },
        "clients could not be notified of a sign-out; the next try follows",
      );
    })
    .finally(() => all.delete(one));
  all.add(one);
}

/** Resolves when nothing is being sent. */
export async function endLogouts(kernel: Kernel): Promise<void> {
  await Promise.all([...(running.get(kernel) ?? new Set<Promise<void>>())]);
}

async function sendDue(kernel: Kernel, database: Database): Promise<void> {
  const due = await database.db.any<Logout>(
    `
update portolan.logouts
set attempts = attempts + 1, next_at = now() + make_interval(mins => attempts + 1)
where id in (select id from portolan.logouts where next_at <= now() order by next_at limit 100 for update skip locked)
returning id, client_id as "clientId", user_name as account, sid, attempts, openid_sub as subject, openid_seed as seed`,
  );
  await Promise.all(due.map((logout) => sendOne(kernel, database, logout)));
}

async function sendOne(kernel: Kernel, database: Database, logout: Logout): Promise<void> {
  const told = await isTold(kernel, database, logout);
  const isLast = logout.attempts >= MAX_ATTEMPTS;
  count(kernel, "logouts", { outcome: told ? "told" : isLast ? "given_up" : "failed" });
  if (!told && !isLast) return;
  await database.db.none("delete from portolan.logouts where id = $1", [logout.id]);
  if (told) return;
  const { account, clientId } = logout;
  await audit(database, { event: "logout.failed", account, clientId, details: { attempts: logout.attempts } });
}

async function isTold(kernel: Kernel, database: Database, logout: Logout): Promise<boolean> {
  const { clientId, sid } = logout;
  const client = await findClient(database, clientId);
  if (!client?.backchannelLogoutUri || client.disabled) return true; // no client wants a notice any more
  const { backchannelLogoutUri: url } = client;
  const token = await sign(database, "logout+jwt", LIFETIME_SECONDS, {
    alg: client.idTokenAlg,
    iss: kernel.baseUrl,
    aud: clientId,
    sub: subjectFor(logout, client, kernel.config.subjectType),
    sid,
    jti: randomUUID(),
    events: { [EVENT]: {} },
  });
  try {
    const { status } = await fetchPublic({
      url,
      privateHosts: privateHostsOf(client, url, kernel.config),
      form: new URLSearchParams({ logout_token: token }),
    });
    return status >= 200 && status < 300;
  } catch {
    return false; // it is tried again; the audit records when that ends
  }
}
