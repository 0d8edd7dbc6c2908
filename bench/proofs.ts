/** What a token that is bound to a key (DPoP) costs a request. */
import { createHash, generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { testDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { KeptConnection } from "./support/keptConnection.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, postmasterOf, stopwatch } from "./support/processes.ts";

const REQUESTS = 200;
const BLOCK = 20;
const ROUNDS = 15;
const PATH = "/api/v4/users/person";

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

    const connection = new KeptConnection(Number(new URL(baseUrl).port));

    /** The processor time of requests, of the gateway and of PostgreSQL, in µs. */
    async function timeOf(headers: readonly Readonly<Record<string, string>>[]): Promise<number> {
      const watch = stopwatch(() => [...familyOf(gateway.pid), ...childrenOf(postmaster)]);
      for (const one of headers) await connection.get(PATH, one);
      return watch() * 1000;
    }

    try {
      const bearer = await tokenOf({});
      const bound = await tokenOf({ dpop: await proof("POST", "/api/v4/oauth") });
      const plain = Array.from({ length: REQUESTS }, () => ({ authorization: `Bearer ${bearer}` }));
      const times: Record<"plain" | "more", number[]> = { plain: [], more: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const proven = await Promise.all(
          plain.map(async () => ({ authorization: `DPoP ${bound}`, dpop: await proof("GET", PATH, bound) })),
        );
        let [without, withProof] = [0, 0];
        // by turns, so that what others do at the same time comes to both
        for (let from = 0; from < REQUESTS; from += BLOCK) {
          without += await timeOf(plain.slice(from, from + BLOCK));
          withProof += await timeOf(proven.slice(from, from + BLOCK));
        }
        if (round === 0) continue; // both are warm after it
        times.plain.push(without / REQUESTS);
        times.more.push((withProof - without) / REQUESTS);
      }
      const [without, more] = [median(times.plain), median(times.more)];
      const dpop: Row = {
        what: "a request with a token that is bound to a key (DPoP), processor time",
        ours: `${Math.round(without + more)} µs`,
        peer: `a bearer token ${Math.round(without)} µs; the signature alone, by node:crypto, ${Math.round(signatureTime())} µs`,
        ratio: `${Math.round(more)} µs more`,
        target: "≤ 150 µs more",
      };
      return [dpop];
    } finally {
      connection.close();
      await gateway.stop();
      await database.drop();
    }
  },
};

/** The processor time in which node:crypto verifies a signature (ES256), in µs: a proof cannot take less. */
function signatureTime(): number {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const bytes = Buffer.alloc(400);
  const signature = sign("sha256", bytes, privateKey);
  const times = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    for (let n = 0; n < REQUESTS; n++) verify("sha256", bytes, publicKey, signature);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / REQUESTS;
  });
  return median(times);
}
