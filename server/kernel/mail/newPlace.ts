/** The mail about a sign-in from a new place. */
import type { IncomingMessage } from "node:http";
import type { Account } from "../identity/tokens.ts";
import { inMail, languageFor, type Mailer } from "./mailer.ts";

export interface NewPlace {
  /** Undefined where no mail is sent. */
  readonly mail: Mailer | undefined;
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  /** The request that signed in. */
  readonly request: IncomingMessage;
}

/** Tells an account by mail that it has signed in from an address that it has not used lately. */
export function tellOfNewPlace(
  { mail, baseUrl, request: { headers, address } }: NewPlace,
  { name, email, properties }: Pick<Account, "name" | "email" | "properties">,
): void {
  if (email === null) return;
  mail?.send({
    kind: "newPlace",
    to: email,
    language: languageFor(properties["locale"], headers["accept-language"]),
    values: {
      name,
      service: baseUrl,
      when: inMail(new Date()),
      address: address ?? "?",
      agent: headers["user-agent"] ?? "?",
    },
  });
}
