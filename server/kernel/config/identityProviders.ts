/** The option `identityProviders`. */
import { z } from "zod";
import { list } from "./kinds.ts";

const identityProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 of a-z, 0-9 and -"),
  title: z.string().min(1).max(60).optional(),
  issuer: z.string().refine(isIssuer, "must be an https:// address, or http:// on this machine, without query"),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  scopes: list
    .default(["openid", "profile", "email"])
    .transform((scopes) => (scopes.includes("openid") ? scopes : ["openid", ...scopes])),
  mapGroups: z.record(z.string(), z.string().min(1).toLowerCase()).default({}),
});

/** A provider with which people sign in here. */
export type IdentityProvider = z.infer<typeof identityProvider>;

export const identityProviders = z
  .array(identityProvider)
  .refine((all) => isUnique(all.map(({ id }) => id)), "two providers have one id")
  .refine((all) => isUnique(all.map(({ issuer }) => issuer)), "two providers have one issuer");

/** OpenID Connect Discovery §4: https. Plain http is allowed for loopback addresses only. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    (url.protocol === "https:" || isOnThisMachine(text))
  );
}

/** Whether an address is plain http on the loopback interface. */
export function isOnThisMachine(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
}

function isUnique(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}
