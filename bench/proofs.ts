/** What a token that is bound to a key (DPoP) costs a request. */
import { createHash, generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { testDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { KeptConnection } from "./support/keptConnection.ts";
import { median } from "./support/load.ts";
import { familyOf, stopwatch } from "./support/processes.ts";

const REQUESTS = 1000;
const BLOCK = 25;
const ROUNDS = 15;
/** Rounds before the first that counts. A gateway takes three times as long for each of its first thousands of requests. */
const WARMING = 5;
const PATH = "/api/v4/users/person";

/** Processor time, in µs. */
interface Times {
  readonly gateway: number;
  readonly database: number;
}

const NOTHING: Times = { gateway: 0, database: 0 };

const sumOf = ({ gateway, database }: Times): number => gateway + database;

function plus(times: Times, others: Times, factor: number): Times {
  return { gateway: times.gateway + factor * others.gateway, database: times.database + factor * others.database };
}

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

    /** Those of the gateway's connections; a server that others use has more. */
    async function backends(): Promise<number[]> {
      const { rows } = await database.client.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return rows.map(({ pid }) => pid);
    }

    /** The processor time of requests, of the gateway and of its connections, in µs. */
    async function timeOf(
      headers: readonly Readonly<Record<string, string>>[],
      connections: readonly number[],
    ): Promise<Times> {
      const [ofGateway, ofConnections] = [stopwatch(() => familyOf(gateway.pid)), stopwatch(() => connections)];
      for (const one of headers) await connection.get(PATH, one);
      return { gateway: ofGateway() * 1000, database: ofConnections() * 1000 };
    }

    try {
      const bearer = await tokenOf({});
      const bound = await tokenOf({ dpop: await proof("POST", "/api/v4/oauth") });
      const plain = Array.from({ length: REQUESTS }, () => ({ authorization: `Bearer ${bearer}` }));
      const without: Times[] = [];
      const more: Times[] = [];
      for (let round = 0; round < WARMING + ROUNDS; round++) {
        const proven = await Promise.all(
          plain.map(async () => ({ authorization: `DPoP ${bound}`, dpop: await proof("GET", PATH, bound) })),
        );
        const connections = await backends();
        let [one, other] = [NOTHING, NOTHING];
        // in turn, so that other work affects both alike
        for (let from = 0; from < REQUESTS; from += BLOCK) {
          one = plus(one, await timeOf(plain.slice(from, from + BLOCK), connections), 1 / REQUESTS);
          other = plus(other, await timeOf(proven.slice(from, from + BLOCK), connections), 1 / REQUESTS);
        }
        if (round < WARMING) continue;
        without.push(one);
        more.push(plus(other, one, -1));
      }
      const signature = signatureTimes();
      const [bare, gatewayMore, databaseMore] = [
        median(without.map(sumOf)),
        median(more.map((each) => each.gateway)),
        median(more.map((each) => each.database)),
      ];
      const total = median(more.map(sumOf));
      const dpop: Row = {
        what: "a request with a token that is bound to a key (DPoP), processor time",
        ours: `${Math.round(bare + total)} µs`,
        peer: `a bearer token ${Math.round(bare)} µs; more: gateway ${Math.round(gatewayMore)} µs, PostgreSQL ${Math.round(databaseMore)} µs; the signature alone ${Math.round(signature.cold)} µs after other work, ${Math.round(signature.warm)} µs in a loop`,
        ratio: `${Math.round(total)} µs more`,
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

/**
 * The time in which node:crypto verifies a signature (ES256), in µs: a proof cannot take less. One after the other (`warm`), and
 * after other work, which has removed it from the caches of the processor (`cold`), as between two requests.
 */
function signatureTimes(): { readonly warm: number; readonly cold: number } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const bytes = Buffer.alloc(400);
  const signature = sign("sha256", bytes, privateKey);
  const others = new Float64Array(1 << 20);

  /** The median, which other processes hardly change. */
  function timeAfter(work: () => void): number {
    const times = Array.from({ length: 3000 }, () => {
      work();
      const began = performance.now();
      verify("sha256", bytes, publicKey, signature);
      return (performance.now() - began) * 1000;
    });
    return median(times);
  }

  return {
    warm: timeAfter(() => undefined),
    cold: timeAfter(() => {
      for (let at = 0; at < others.length; at += 8) others[at]! += 1;
    }),
  };
}
