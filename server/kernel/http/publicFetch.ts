/**
 * Requests to addresses that clients name: a client's document, its keys, its logout endpoint. They reach nothing in the
 * network of this service. The server can neither redirect them nor delay them for long.
 */
import { lookup } from "node:dns/promises";
import { request as requestHttp, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP } from "node:net";

const MAX_BYTES = 5000;
const TIMEOUT_MS = 5000;

/** Why there is no answer, for the client's developer. */
export class FetchRefused extends Error {}

export interface PublicFetchOptions {
  readonly url: string;
  /** Hosts that may have private addresses, and speak http. */
  readonly privateHosts: readonly string[];
  /** Sent by POST; without it the request is a GET. */
  readonly form?: URLSearchParams;
  readonly accept?: string;
  /** The largest body. Default 5 kB. */
  readonly maxBytes?: number;
  /** Default: that of the operating system. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

export interface PublicAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as it came. */
  readonly bytes: Buffer;
}

export interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * Fetches from a public https address. It connects to the very addresses that were found public, so that a name cannot
 * change its meaning a moment later. A redirect is an answer like any other. Throws `FetchRefused` for an address that
 * is not public, a body over 5 kB, and an answer that takes longer than 5 s.
 */
export async function fetchPublic({ url, ...options }: PublicFetchOptions): Promise<PublicAnswer> {
  const { privateHosts, form, accept = "application/json", maxBytes = MAX_BYTES, resolve = resolveHost } = options;
  const target = URL.parse(url);
  if (!target) throw new FetchRefused(`${url} is not an address`);
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const mayBePrivate = privateHosts.includes(host);
  if (target.protocol !== "https:" && !(mayBePrivate && target.protocol === "http:"))
    throw new FetchRefused(`${url} is not an https address`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const addresses = await withSignal(isIP(host) === 0 ? resolve(host) : literal(host), signal);
  if (addresses.length === 0 || (!mayBePrivate && addresses.some((one) => !isPublic(one.address))))
    throw new FetchRefused(`${url} is not at a public address`);
  return send(target, { addresses, form, accept, maxBytes, signal });
}

async function resolveHost(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true });
}

function literal(host: string): Promise<readonly Address[]> {
  return Promise.resolve([{ address: host, family: isIP(host) }]);
}

async function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(tooLate()), { once: true });
  });
  late.catch(() => undefined); // when the promise was first
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused("The host is not known", { cause: error });
  }
}

interface Sending {
  readonly addresses: readonly Address[];
  readonly form: URLSearchParams | undefined;
  readonly accept: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

function send(target: URL, { addresses, form, accept, maxBytes, signal }: Sending): Promise<PublicAnswer> {
  const body = form?.toString();
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    agent: false, // a kept connection may lead to an address that was not checked
    signal,
    headers: {
      Accept: accept,
      ...(body !== undefined && {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": Buffer.byteLength(body),
      }),
    },
    lookup: (_host, { all }, answer) => {
      const [first] = addresses;
      if (all) answer(null, [...addresses]);
      else answer(null, first?.address ?? "", first?.family);
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(signal.aborted ? tooLate() : new FetchRefused(`${target.href} does not answer`, { cause }));
    const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("error", fail);
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= maxBytes) return;
        reject(new FetchRefused(`${target.href} has more than ${maxBytes} bytes`));
        request.destroy();
      });
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString("utf8"), bytes });
      });
    });
    request.on("error", fail);
    request.end(body);
  });
}

function tooLate(): FetchRefused {
  return new FetchRefused(`The answer has not come within ${TIMEOUT_MS / 1000} s`);
}

/** The addresses that are not reachable from everywhere (IANA's registries for special purposes), and those that lead to one. */
const SPECIAL = new BlockList();
for (const [range, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  SPECIAL.addSubnet(range, prefix, "ipv4");
/** Global unicast addresses; all others of version 6 are private, local, or of a special kind. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [range, prefix] of [
  ["2001::", 23], // Teredo and other protocols
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4: it has an address of version 4 inside
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(range, prefix, "ipv6");

/** Whether an address can be reached from everywhere. */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !SPECIAL.check(address, "ipv4");
  return version === 6 && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}
