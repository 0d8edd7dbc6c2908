/** The certificates with which the service speaks https and identifies itself to NATS and PostgreSQL, and their expiry. */
import { X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import type { Server } from "node:https";
import { createSecureContext } from "node:tls";
import { Gauge, type Registry } from "prom-client";
import type { Config } from "../kernel/config.ts";
import type { Database, ServerCertificate } from "../kernel/database/database.ts";
import type { Finding } from "../ground/finding.ts";
import type { Log } from "../ground/log.ts";

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

/** The suites of TLS 1.3, and those of TLS 1.2 that RFC 9325 §4.2 recommends (FAPI 2.0 Security Profile §5.2.2). */
const CIPHERS = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");

/** How Node's https is to speak TLS. */
interface TlsOptions {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ciphers: string;
}

/** With the content of the files. Throws where they do not exist or do not belong together. */
export function readCertificate(files: CertificateFiles): TlsOptions {
  const read = { cert: readFileSync(files.cert), key: readFileSync(files.key), ciphers: CIPHERS };
  createSecureContext(read);
  return read;
}

/** Uses a renewed certificate within seconds, for new connections; an invalid one is logged and ignored. */
export function followCertificate(server: Server, files: CertificateFiles, log: Log): void {
  const take = (): void => {
    try {
      server.setSecureContext(readCertificate(files));
      log.info({ file: files.cert }, "the certificate is renewed");
    } catch (error) {
      // the files do not match while only one of them is written
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

/** The options that name certificates. */
export type CertificateOptions = Pick<Config, "tlsCert" | "tlsKey"> &
  Partial<Pick<Config, "natsTlsCert" | "natsTlsKey" | "databases" | "patterns">>;

/** A certificate of the gateway, by its purpose. */
type OwnCertificate = CertificateFiles & { readonly use: "https" | "nats" | "database" };

function ownCertificates({ natsTlsCert, natsTlsKey, databases = [], patterns = [], ...https }: CertificateOptions) {
  const all: OwnCertificate[] = [];
  const files = certificateFiles(https);
  if (files) all.push({ use: "https", ...files });
  if (natsTlsCert !== undefined && natsTlsKey !== undefined)
    all.push({ use: "nats", cert: natsTlsCert, key: natsTlsKey });
  for (const { url, ownerUrl, pooledUrl, replicaUrls = [] } of [...databases, ...patterns])
    for (const one of [url, ownerUrl, pooledUrl ?? url, ...replicaUrls]) {
      const parameters = new URLSearchParams(one.split("?").slice(1).join("?"));
      const [cert, key] = [parameters.get("sslcert"), parameters.get("sslkey")];
      if (cert !== null && key !== null && all.every((other) => other.cert !== cert))
        all.push({ use: "database", cert, key });
    }
  return all;
}

/** Whether the gateway's certificates can be used, and for how long. `now`: milliseconds since 1970. */
export function certificateFindings(options: CertificateOptions, now = Date.now()): Finding[] {
  return ownCertificates(options).map((files) => {
    const found = {
      page: "operating.md#certificates",
      remedy: [files.use === "https" ? "replace the file: the gateway loads it within seconds" : "replace the file"],
    };
    const name = `the certificate ${files.cert}`;
    try {
      return { ...found, ...judge(name, new X509Certificate(readCertificate(files).cert), now) };
    } catch (error) {
      return { ...found, ok: false, text: `${name} cannot be used: ${(error as Error).message}` };
    }
  });
}

/** The same for the certificate of a server; nothing without TLS. */
export function serverCertificateFindings(certificate: ServerCertificate | undefined): Finding[] {
  if (!certificate) return [];
  return [
    {
      page: "operating.md#certificates",
      remedy: ["replace it on the server, then run: select pg_reload_conf();"],
      ...judge(`the certificate of ${certificate.server}`, certificate, Date.now()),
    },
  ];
}

function judge(
  name: string,
  { validFrom, validTo }: Pick<ServerCertificate, "validFrom" | "validTo">,
  now: number,
): Pick<Finding, "ok" | "severity" | "text"> {
  const days = (Date.parse(validTo) - now) / DAY_MS;
  if (Date.parse(validFrom) > now)
    return { ok: false, severity: "error", text: `${name} is not valid before ${validFrom}` };
  if (days <= 0) return { ok: false, severity: "error", text: `${name} has expired: ${validTo}` };
  const isSoon = days <= LEAST_DAYS;
  return {
    ok: !isSoon,
    severity: "warning",
    text: `${name} ${isSoon ? "expires soon" : "is valid until"}: ${validTo}`,
  };
}

/** Reports the times of expiry to Prometheus. It leaves out unreadable certificates, which `doctor` names. */
export function measureCertificates(
  registry: Registry,
  options: CertificateOptions,
  databases: ReadonlyMap<string, Pick<Database, "certificates">>,
): void {
  new Gauge({
    name: "portolan_certificate_expires_timestamp_seconds",
    help: "When a certificate expires: of the gateway's own, for https, nats or database, by its file; of a database server by its address",
    labelNames: ["use", "certificate"],
    aggregator: "min", // each of several processes knows the same
    registers: [registry],
    collect() {
      this.reset();
      const tell = (use: string, certificate: string, validTo: string): void =>
        this.set({ use, certificate }, Date.parse(validTo) / 1000);
      for (const { use, cert } of ownCertificates(options))
        try {
          tell(use, cert, new X509Certificate(readFileSync(cert)).validTo);
        } catch {
          // one half of it may be written and the other not yet, or never
        }
      for (const database of databases.values())
        for (const { server, validTo } of database.certificates()) tell("server", server, validTo);
    },
  });
}
