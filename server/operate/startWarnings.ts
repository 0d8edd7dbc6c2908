/** Warnings before anything is opened. */
import { certificateFindings } from "./certificate.ts";
import type { Config } from "../kernel/config.ts";
import { isAddress, localName } from "../kernel/http/localName.ts";
import type { Log } from "../ground/log.ts";
import { rasterDirectoryFindings } from "./rasterDirectory.ts";

const TRUSTED =
  "AUTHORS=trust: every role that owns a schema or a table can act as any account and read the signing key by its code";

/** Warns about questionable settings, once for all processes. */
export function warnAtStart(config: Config, log: Log): void {
  for (const warning of config.warnings) log.warn(warning);
  if (config.authors === "trust") log.warn(TRUSTED);
  const { baseUrl } = config;
  if (config.mfa !== "off" && baseUrl !== undefined && isAddress(new URL(baseUrl).hostname)) {
    const local = localName(baseUrl);
    const where = local === undefined ? "not offered" : `offered only at ${local}`;
    log.warn(`passkeys are ${where}: they need a name, and BASE_URL is ${baseUrl}`);
  }
  if (config.signUp !== "off" && config.smtpUrl === undefined)
    log.warn("nobody can sign up: that needs mail (SMTP_URL)");
  for (const { ok, text } of [...certificateFindings(config), ...rasterDirectoryFindings(config)])
    if (!ok) log.warn(text);
}
