import { execFileSync } from "node:child_process";

export interface CertificateOptions {
  /** Names of the files. Default `cert.pem` and `key.pem`. */
  readonly cert?: string;
  readonly key?: string;
  /** Common name. Default `localhost`. */
  readonly name?: string;
  /** Days from now on. Default 30. */
  readonly days?: number;
  /** The names that clients of today look at, as `DNS:localhost,IP:127.0.0.1`. Default none. */
  readonly altNames?: string;
}

/** Makes a certificate that signs itself, and its key, in a folder. */
export function makeCertificate(
  folder: string,
  { cert = "cert.pem", key = "key.pem", name = "localhost", days = 30, altNames }: CertificateOptions = {},
): void {
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=${name}`;
  const more = altNames === undefined ? [] : ["-addext", `subjectAltName=${altNames}`];
  execFileSync("openssl", [...words.split(" "), ...more, "-keyout", key, "-out", cert], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
}
