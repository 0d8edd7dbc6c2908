/** The certificate by which the service speaks https itself. */
import { X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import type { Server } from "node:https";
import { createSecureContext } from "node:tls";
import type { Config } from "./config.ts";
import type { Finding } from "./doctor.ts";
import type { Log } from "./log.ts";

const DAY_MS = 86_400_000;
const LEAST_DAYS = 14;
const LOOK_MS = 1000;

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Undefined where the service speaks http. */
export function certificateFiles({
  tlsCert,
  tlsKey,
}: Pick<Config, "tlsCert" | "tlsKey">): CertificateFiles | undefined {
  return tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
}

/** What the files hold, as https of Node takes it. Throws where they are not there or do not belong together. */
export function readCertificate(files: CertificateFiles): { readonly cert: Buffer; readonly key: Buffer } {
  const read = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  createSecureContext(read);
  return read;
}

/** Takes a renewed certificate within seconds, for the connections that come then; one that is no good is said, and left. */
export function followCertificate(server: Server, files: CertificateFiles, log: Log): void {
  const take = (): void => {
    try {
      server.setSecureContext(readCertificate(files));
      log.info({ file: files.cert }, "the certificate is renewed");
    } catch (error) {
      // between the writing of one file and of the other they do not fit
      log.warn(
        { err: error, file: files.cert },
        "the certificate has changed and cannot be used; the one before stays",
      );
    }
  };
  for (const file of [files.cert, files.key]) watchFile(file, { interval: LOOK_MS, persistent: false }, take);
  server.once("close", () => {
    for (const file of [files.cert, files.key]) unwatchFile(file, take);
  });
}

/** Whether the certificate can be used, and for how long still. `now`: milliseconds since 1970. */
export function certificateFindings(config: Pick<Config, "tlsCert" | "tlsKey">, now = Date.now()): Finding[] {
  const files = certificateFiles(config);
  if (!files) return [];
  const found = { page: "operating.md#install", remedy: ["renew it in its place: it is taken within seconds"] };
  try {
    const { validFrom, validTo } = new X509Certificate(readCertificate(files).cert);
    const days = (Date.parse(validTo) - now) / DAY_MS;
    if (Date.parse(validFrom) > now)
      return [{ ...found, ok: false, text: `the certificate ${files.cert} is not valid before ${validFrom}` }];
    if (days <= 0) return [{ ...found, ok: false, text: `the certificate ${files.cert} has expired: ${validTo}` }];
    const isSoon = days <= LEAST_DAYS;
    const text = `the certificate ${files.cert} ${isSoon ? "expires soon" : "is valid until"}: ${validTo}`;
    return [{ ...found, ok: !isSoon, severity: "warning", text }];
  } catch (error) {
    return [{ ...found, ok: false, text: `the certificate ${files.cert} cannot be used: ${(error as Error).message}` }];
  }
}
