/** Codes of an authenticator app (TOTP, RFC 6238): SHA-1, six digits, 30 s, which is what all apps do. Loaded when needed. */
import { Html } from "../../kernel/http/html.ts";

const PERIOD_SECONDS = 30;
/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20;
/** RFC 6238 §5.2: one step of tolerance for inexact clocks. */
const WINDOW = 1;

/** A new secret, in base32. */
export async function makeSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The time step of a code: the present one, or the one before or after. Undefined for a wrong code. */
export async function stepOf(secret: string, code: string): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { Secret, TOTP } = await import("otpauth");
  const timestamp = Date.now();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** The `otpauth://totp/…` address from which apps read a secret. */
export async function addressOf(secret: string, account: string, baseUrl: string): Promise<string> {
  const { Secret, TOTP } = await import("otpauth");
  const issuer = `Portolan ${new URL(baseUrl).hostname}`.replaceAll(":", ".");
  return new TOTP({ issuer, label: account, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS }).toString();
}

/** A text as a QR code, in SVG. */
export async function pictureOf(text: string): Promise<Html> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return new Html(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" width="200" height="200" aria-hidden="true"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`,
  );
}
