/** Metrics of the OAuth door. */
import { Counter } from "prom-client";
import type { Kernel } from "../kernel.ts";
import type { AuthMethod } from "./clients.ts";

/** How a sign-in at another provider has ended here. */
export type ProviderOutcome = "signed_in" | "new_account" | "link_asked" | "linked" | "refused" | "failed";

type Judged = "accepted" | "refused";

/** The labels of each counter. */
interface Labels {
  readonly factors: { readonly kind: "code" | "passkey"; readonly outcome: Judged };
  readonly providers: { readonly provider: string; readonly outcome: ProviderOutcome };
  readonly clients: { readonly method: AuthMethod; readonly outcome: Judged };
  readonly proofs: { readonly outcome: Judged };
  readonly pushed: { readonly client: "public" | "confidential" };
  readonly registrations: { readonly token: "yes" | "no" };
  readonly guests: { readonly outcome: "given" | "refused" };
  readonly signUps: { readonly way: "mail" | "provider"; readonly outcome: "asked" | "made" | "refused" };
  readonly signOuts: { readonly by: "person" | "client" };
  readonly logouts: { readonly outcome: "told" | "failed" | "given_up" };
}

/** The name, the help and the labels of each. */
const COUNTERS: { readonly [Of in keyof Labels]: readonly [string, string, readonly (keyof Labels[Of] & string)[]] } = {
  factors: [
    "portolan_second_factors_total",
    "Second factors that were given at a sign-in, by kind (code, passkey) and outcome (accepted, refused)",
    ["kind", "outcome"],
  ],
  providers: [
    "portolan_provider_sign_ins_total",
    "Sign-ins at other identity providers, by provider and outcome (signed_in, new_account, link_asked, linked, refused, failed)",
    ["provider", "outcome"],
  ],
  clients: [
    "portolan_client_authentications_total",
    "Confidential clients that authenticated, by method (client_secret_basic, client_secret_post, private_key_jwt) and outcome (accepted, refused)",
    ["method", "outcome"],
  ],
  proofs: [
    "portolan_dpop_proofs_total",
    "Proofs of DPoP with which clients asked for tokens that are bound to a key, by outcome (accepted, refused)",
    ["outcome"],
  ],
  pushed: [
    "portolan_pushed_requests_total",
    "Authorization requests that clients pushed (PAR), by kind of client (public, confidential)",
    ["client"],
  ],
  registrations: [
    "portolan_client_registrations_total",
    "Clients that registered themselves, with an initial token or not (token: yes, no)",
    ["token"],
  ],
  guests: [
    "portolan_guest_tokens_total",
    "Guest tokens that clients asked for, by outcome (given, refused: the database has no default user)",
    ["outcome"],
  ],
  signUps: [
    "portolan_sign_ups_total",
    "Accounts that people make themselves, by way (mail, provider) and outcome (asked: on the page; made; refused: the group of new accounts is missing)",
    ["way", "outcome"],
  ],
  signOuts: [
    "portolan_sign_outs_total",
    "Sessions of browsers that ended by a sign-out on our pages, by who asked for it (person, client)",
    ["by"],
  ],
  logouts: [
    "portolan_logout_notices_total",
    "Clients that were told of the end of a session (back-channel logout), by outcome (told, failed: it is tried again, given_up)",
    ["outcome"],
  ],
};

const counters = new WeakMap<Kernel, ReadonlyMap<string, Counter>>();

/** Creates all counters at the start, so that each exists from then on. */
export function createCounters(kernel: Kernel): void {
  const registers = [kernel.metrics.registry];
  const made = Object.entries(COUNTERS).map(([of, [name, help, labelNames]]) => {
    return [of, new Counter({ name, help, labelNames: [...labelNames], registers })] as const;
  });
  counters.set(kernel, new Map(made));
  new Counter({
    name: "portolan_dpop_requests_total",
    help: "Requests with an access token that is bound to a key, by the result of the DPoP proof (accepted, refused)",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, requests] of Object.entries(kernel.identifier.proofs)) this.inc({ outcome }, requests);
    },
  });
}

/** Counts one. */
export function count<Of extends keyof Labels>(kernel: Kernel, of: Of, labels: Labels[Of]): void {
  counters
    .get(kernel)
    ?.get(of)
    ?.inc({ ...labels });
}
