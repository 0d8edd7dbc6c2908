/** Apollo Client, unmodified: unknown persisted queries, batches, and its cache with subscriptions. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from "@apollo/client";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const PATH = "/api/graphql/schema/world";

describe("graphql: Apollo Client", () => {
  let gateway: TestGateway;
  let authorization: string;
  /** The bodies of the requests of the test that runs. */
  let bodies: string[] = [];

  before(async () => {
    gateway = await testGateway();
    authorization = `Bearer ${await gateway.token("captain")}`;
  });
  after(() => gateway.close());
  beforeEach(() => {
    bodies = [];
  });

  const seen: typeof fetch = (input, init) => {
    bodies.push(typeof init?.body === "string" ? init.body : String(input));
    return fetch(input, init);
  };

  function client(link: ApolloLink): ApolloClient {
    return new ApolloClient({ link, cache: new InMemoryCache() });
  }

  const options = () => ({ uri: `${gateway.baseUrl}${PATH}`, headers: { authorization }, fetch: seen });
  const post = (body: object) => gateway.http.post(PATH).set("Authorization", authorization).send(body);

  for (const useGETForHashedQueries of [false, true])
    it(`PersistedQueryLink falls back to the text, asked by ${useGETForHashedQueries ? "GET" : "POST"}`, async () => {
      const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
      const persisted = new PersistedQueryLink({ sha256, useGETForHashedQueries });
      const apollo = client(ApolloLink.from([persisted, new HttpLink(options())]));
      for (const code of ["DE", "DK"]) {
        const query = gql`
          query ($code: ID) {
            getCountries(id: $code) {
              code
            }
          }
        `;
        const { data } = await apollo.query({ query, variables: { code } });
        assert.equal((data as { getCountries: { code: string }[] }).getCountries[0]?.code, code);
      }
      // it has learnt that there are none, and does not ask again
      assert.equal(bodies.length, 3);
    });

  it("a hash alone is PersistedQueryNotSupported, 200; with the text it is an ordinary request", async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
    const { body } = await post({ extensions }).expect(200);
    const error = { message: "PersistedQueryNotSupported", extensions: { code: "PERSISTED_QUERY_NOT_SUPPORTED" } };
    assert.deepEqual(body, { errors: [error] });
    assert.deepEqual((await post({ query: "{ __typename }", extensions })).body, { data: { __typename: "Query" } });
    assert.equal((await post({ extensions: {} }).expect(400)).body.errors[0].extensions.code, "BAD_USER_INPUT");
    assert.deepEqual((await post([{ extensions }, { query: "{ __typename }" }]).expect(200)).body, [
      { errors: [error] },
      { data: { __typename: "Query" } },
    ]);
  });

  it("BatchHttpLink sends several queries in one request, and each gets its own answer", async () => {
    const apollo = client(new BatchHttpLink({ ...options(), batchMax: 10, batchInterval: 20 }));
    const codes = ["DE", "DK", "SE", "NO"];
    const answers = await Promise.all(
      codes.map((code) =>
        apollo.query({
          query: gql`
            query ($code: ID) {
              getCountries(id: $code) {
                code
              }
            }
          `,
          variables: { code },
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ data }) => (data as { getCountries: { code: string }[] }).getCountries[0]?.code),
      codes,
    );
    assert.equal(bodies.length, 1);
  });

  it("each member of a batch is a transaction of its own, in order, with its own errors", async () => {
    const insert = (code: string) => ({
      query: `mutation { insertCountries(data: {code: "${code}", name: "${code}"}) { code } }`,
    });
    await gateway.database.client.query("delete from world.countries where code in ('XA', 'XB')");
    const { body } = await post([
      insert("XA"),
      insert("XA"),
      "nonsense",
      { query: "{ nothing }" },
      { query: "subscription { CountriesMessageAdded { code } }" },
      insert("XB"),
      { query: '{ countCountries(where: {code: {in: ["XA", "XB"]}}) }' },
    ]).expect(200);
    const codes = (body as { errors?: { extensions: { code: string } }[] }[]).map(
      ({ errors }) => errors?.[0]?.extensions.code,
    );
    assert.deepEqual(codes, [
      undefined,
      "CONFLICT",
      "BAD_USER_INPUT",
      "BAD_USER_INPUT",
      "BAD_USER_INPUT",
      undefined,
      undefined,
    ]);
    assert.deepEqual(body[6], { data: { countCountries: 2 } });
    await gateway.database.client.query("delete from world.countries where code in ('XA', 'XB')");
  });

  it("a batch of eleven is LIMIT_EXCEEDED and none is run, an empty one BAD_USER_INPUT", async () => {
    const eleven = Array.from({ length: 11 }, () => ({
      query: 'mutation { deleteCountries(where: {code: "DE"}) { code } }',
    }));
    assert.equal((await post(eleven).expect(400)).body.errors[0].extensions.code, "LIMIT_EXCEEDED");
    assert.deepEqual((await post({ query: '{ countCountries(where: {code: "DE"}) }' })).body.data, {
      countCountries: 1,
    });
    assert.equal((await post([]).expect(400)).body.errors[0].extensions.code, "BAD_USER_INPUT");
    assert.equal((await post(eleven.slice(1).map(() => ({ query: "{ __typename }" })))).body.length, 10);
  });

  it("the cache does not repeat the last event of another root field", async () => {
    const link = new GraphQLWsLink(
      createClient({
        url: `${gateway.baseUrl.replace("http", "ws")}${PATH}`,
        webSocketImpl: WebSocket,
        connectionParams: { Authorization: authorization },
      }),
    );
    const query = gql`
      subscription {
        CitiesMessageAdded {
          id
          name
        }
        CitiesMessageDeleted {
          id
          name
        }
      }
    `;
    const events: string[] = [];
    const seenBoth = Promise.withResolvers<void>();
    const following = client(link)
      .subscribe({ query })
      .subscribe(({ data }) => {
        const rows = data as Record<string, readonly object[] | null>;
        events.push(
          Object.keys(rows)
            .filter((key) => rows[key] !== null)
            .join(" "),
        );
        if (new Set(events).size === 2) seenBoth.resolve();
      });
    const run = (text: string): Promise<unknown> => gateway.database.client.query(text);
    // this protocol has no acknowledgement: write until an event has come
    const writing = setInterval(() => {
      void run(`insert into world.cities (name, zone, country_code, area_id, geom)
select 'Apollonia', 'Nowhere/Apollonia', country_code, area_id, geom from world.cities limit 1`).then(() =>
        run("delete from world.cities where zone = 'Nowhere/Apollonia'"),
      );
    }, 100);
    try {
      await seenBoth.promise;
    } finally {
      clearInterval(writing);
      following.unsubscribe();
      await (link as unknown as { client: { dispose(): Promise<void> } }).client.dispose();
    }
    assert.deepEqual([...new Set(events)].sort(), ["CitiesMessageAdded", "CitiesMessageDeleted"]);
  }).timeout(30_000);

  it("the rate limit counts each member of a batch", async () => {
    const limited = await testGateway({ config: { rateLimit: 5 } });
    try {
      const send = async (count: number) =>
        limited.http
          .post(PATH)
          .set("Authorization", `Bearer ${await limited.token("guest")}`)
          .send(Array.from({ length: count }, () => ({ query: "{ __typename }" })));
      assert.equal((await send(4)).status, 200);
      const refused = await send(2);
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    } finally {
      await limited.close();
    }
  });
});
