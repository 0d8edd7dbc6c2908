/** Warnings before anything is opened. */
import { isIP } from "node:net";
import { certificateFindings } from "./certificate.ts";
import type { Config } from "../kernel/config.ts";
import type { Log } from "../ground/log.ts";
import { rasterDirectoryFindings } from "./rasterDirectory.ts";

const TRUSTED =
  "AUTHORS=trust: code of every role that owns a schema or a table can become any account and read the signing key";

function isAddress({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
}

/** Warns about questionable settings, once for all processes. */
export function warnAtStart(config: Config, log: Log): void {
  for (const warning of config.warnings) log.warn(warning);
  if (config.authors === "trust") log.warn(TRUSTED);
  if (config.mfa !== "off" && config.baseUrl !== undefined && isAddress(new URL(config.baseUrl)))
    log.warn(`passkeys are not offered: they need a name, and BASE_URL is ${config.baseUrl}`);
  if (config.signUp !== "off" && config.smtpUrl === undefined)
    log.warn("nobody can sign up: that needs mail (SMTP_URL)");
  for (const { ok, text } of [...certificateFindings(config), ...rasterDirectoryFindings(config)])
    if (!ok) log.warn(text);
}
