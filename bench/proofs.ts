/** What a token that is bound to a key (DPoP) costs a request, and what the pages of a sign-in weigh. */
import { createHash, randomUUID } from "node:crypto";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { testDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { KeptConnection } from "./support/keptConnection.ts";
import { childrenOf, familyOf, postmasterOf, stopwatch } from "./support/processes.ts";

const REQUESTS = 200;
const ROUNDS = 15;
const PATH = "/api/v4/users/person";
const PAGES = ["/account", "/signup", "/forgotten", "/device"];

export const benchmark: Benchmark = {
  name: "proofs of keys",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query("select portolan.create_user('person', 'a password')");
    await database.client.query(
      "update portolan.clients set grants = grants || '{password}' where id = 'portolan-cli'",
    );
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
      RATE_LIMIT: "1000000",
      SMTP_URL: "log:",
      SIGN_UP: "open",
      MFA: "offered",
    });
    const { baseUrl } = gateway;
    const postmaster = await postmasterOf(database.client);
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const jwk = await exportJWK(publicKey);
    const proof = (method: string, path: string, token?: string): Promise<string> =>
      new SignJWT({
        jti: randomUUID(),
        htm: method,
        htu: baseUrl + path,
        ...(token !== undefined && { ath: createHash("sha256").update(token).digest("base64url") }),
      })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey);

    async function tokenOf(headers: Readonly<Record<string, string>>): Promise<string> {
      const body = { grant_type: "password", client_id: "portolan-cli", username: "person", password: "a password" };
      const response = await fetch(`${baseUrl}/api/v4/oauth`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as { readonly access_token?: string };
      return answer.access_token ?? Promise.reject(new Error(JSON.stringify(answer)));
    }

    /** The processor time of a request, of the gateway and of PostgreSQL, in µs. */
    async function timeOf(headers: readonly Readonly<Record<string, string>>[]): Promise<number> {
      const connection = new KeptConnection(Number(new URL(baseUrl).port));
      const watch = stopwatch(() => [...familyOf(gateway.pid), ...childrenOf(postmaster)]);
      for (const one of headers) await connection.get(PATH, one);
      const spent = watch();
      connection.close();
      return (spent * 1000) / headers.length;
    }

    try {
      const bearer = await tokenOf({});
      const bound = await tokenOf({ dpop: await proof("POST", "/api/v4/oauth") });
      const plain = Array.from({ length: REQUESTS }, () => ({ authorization: `Bearer ${bearer}` }));
      const times: Record<"plain" | "proven", number[]> = { plain: [], proven: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const proven = await Promise.all(
          Array.from({ length: REQUESTS }, async () => ({
            authorization: `DPoP ${bound}`,
            dpop: await proof("GET", PATH, bound),
          })),
        );
        const [without, withProof] = [await timeOf(plain), await timeOf(proven)];
        if (round === 0) continue; // both are warm after it
        times.plain.push(without);
        times.proven.push(withProof);
      }
      // the least of all rounds: what others do at the same time only adds
      const [without, withProof] = [Math.min(...times.plain), Math.min(...times.proven)];
      const dpop: Row = {
        what: "a request with a token that is bound to a key (DPoP), least processor time",
        ours: `${Math.round(withProof)} µs`,
        peer: `a bearer token ${Math.round(without)} µs`,
        ratio: `${Math.round(withProof - without)} µs more`,
        target: "≤ 150 µs more",
      };
      const weights = await Promise.all(PAGES.map((path) => weightOf(baseUrl, path)));
      const heaviest = Math.max(...weights);
      const page: Row = {
        what: "the heaviest page of a sign-in, with its style sheet, script and fonts, uncompressed",
        ours: `${(heaviest / 1000).toFixed(1)} kB`,
        peer: "",
        ratio: "",
        target: "< 100 kB",
      };
      return [dpop, page];
    } finally {
      await gateway.stop();
      await database.drop();
    }
  },
};

/** The bytes of a page and of all that it names. */
async function weightOf(baseUrl: string, path: string): Promise<number> {
  const seen = new Set<string>();
  async function add(url: string): Promise<number> {
    if (seen.has(url)) return 0;
    seen.add(url);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    const names = /html/.test(type)
      ? body.toString().matchAll(/<(?:link|script|img)[^>]+(?:href|src)="([^"#]+)"/g)
      : /css/.test(type)
        ? body.toString().matchAll(/url\("?([^")]+)"?\)/g)
        : [];
    const more = await Promise.all(
      [...names]
        .map(([, name = ""]) => name)
        .filter((name) => !name.startsWith("data:"))
        .map((name) => add(new URL(name, url).href)),
    );
    return more.reduce((sum, bytes) => sum + bytes, body.length);
  }
  return add(baseUrl + path);
}
