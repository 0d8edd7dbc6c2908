import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { readTrustedDocuments } from "../../server/graphql/http/namedDocuments.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway } from "../../server/main.ts";
import { testDatabase } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { SocketClient } from "../support/webSocket.ts";

const PATH = "/api/graphql/schema/world";
const QUERY = '{ getCountries(id: "DE") { code } }';
const OTHER = '{ getCountries(id: "DK") { code } }';
const GERMANY = { data: { getCountries: [{ code: "DE" }] } };
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });

describe("named documents", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "documents"));
    writeFileSync(join(folder, "germany.graphql"), QUERY);
    writeFileSync(join(folder, "relay.json"), JSON.stringify({ abc: QUERY, [sha256(QUERY)]: QUERY }));
    const operations = [{ id: "abc", name: "Germany", type: "query", body: QUERY }];
    writeFileSync(
      join(folder, "apollo.json"),
      JSON.stringify({ format: "apollo-persisted-query-manifest", version: 1, operations }),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const poster = async (gateway: TestGateway) => {
    const authorization = `Bearer ${await gateway.token("captain")}`;
    return (body: object, status = 200) =>
      gateway.http.post(PATH).set("Authorization", authorization).send(body).expect(status);
  };
  const codeOf = ({ body }: { body: { errors?: { extensions: { code: string } }[] } }) =>
    body.errors?.[0]?.extensions.code;

  describe("trusted ones", () => {
    let gateway: TestGateway;
    let post: Awaited<ReturnType<typeof poster>>;
    before(async () => {
      gateway = await testGateway({ config: { trustedDocuments: folder } });
      post = await poster(gateway);
    });
    after(() => gateway.close());

    it("are named by documentId, id, doc_id or the hash, by POST, GET and in lists", async () => {
      for (const name of ["germany", sha256(QUERY), `sha256:${sha256(QUERY)}`])
        for (const member of ["documentId", "id", "doc_id"])
          assert.deepEqual((await post({ [member]: name })).body, GERMANY);
      assert.deepEqual((await post({ extensions: persisted(QUERY) })).body, GERMANY);
      assert.deepEqual((await post([{ documentId: "germany" }, { query: QUERY }])).body, [GERMANY, GERMANY]);
      const authorization = `Bearer ${await gateway.token("captain")}`;
      const { body } = await gateway.http.get(`${PATH}?documentId=germany`).set("Authorization", authorization);
      assert.deepEqual(body, GERMANY);
    });

    it("that do not exist are reported; any other text is answered", async () => {
      assert.deepEqual((await post({ documentId: "nothing" })).body, {
        errors: [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }],
      });
      assert.equal(codeOf(await post({ extensions: persisted(OTHER) })), "PERSISTED_QUERY_NOT_SUPPORTED");
      assert.equal((await post({ query: OTHER, extensions: persisted(OTHER) })).body.errors, undefined);
      assert.equal(codeOf(await post({ documentId: 7 }, 400)), "BAD_USER_INPUT");
      assert.equal(codeOf(await post({ documentId: "__proto__" })), "PERSISTED_QUERY_NOT_FOUND");
      assert.equal(codeOf(await post({ documentId: "germany", query: OTHER }, 400)), "BAD_USER_INPUT");
      assert.equal(codeOf(await post({}, 400)), "BAD_USER_INPUT");
    });

    it("are answered over both dialects of the socket", async () => {
      const token = await gateway.token("captain");
      const url = gateway.baseUrl.replace("http", "ws");
      const socket = await new SocketClient(`${url}/?token=${token}`).opened();
      socket.send({ type: "subscribe", id: "1", schema: "world", documentId: "germany" });
      assert.deepEqual(await socket.take("next"), { type: "next", id: "1", ...GERMANY });
      socket.send({ type: "subscribe", id: "germany", schema: "world", query: QUERY, extensions: {} });
      assert.deepEqual(await socket.take("next"), { type: "next", id: "germany", ...GERMANY });
      socket.webSocket.close();
      const client = createClient({ url: `${url}${PATH}`, webSocketImpl: WebSocket, connectionParams: { token } });
      const ask = (payload: object) =>
        new Promise((resolve, reject) => {
          client.subscribe({ query: "", ...payload } as never, {
            next: resolve,
            error: reject,
            complete: () => undefined,
          });
        });
      assert.deepEqual(await ask({ documentId: "germany" }), GERMANY);
      assert.deepEqual(await ask({ extensions: persisted(QUERY) }), GERMANY);
      await client.dispose();
    });
  });

  for (const file of ["relay.json", "apollo.json"])
    it(`only: everything else is FORBIDDEN, introspection and subscriptions too (${file})`, async () => {
      const gateway = await testGateway({
        config: { trustedDocuments: { documents: join(folder, file), only: true } },
      });
      try {
        const post = await poster(gateway);
        assert.deepEqual((await post({ documentId: "abc" })).body, GERMANY);
        assert.deepEqual((await post({ query: QUERY })).body, GERMANY);
        for (const query of [OTHER, ` ${QUERY}`, "{ __schema { types { name } } }"])
          assert.equal(codeOf(await post({ query }, 403)), "FORBIDDEN");
        assert.equal(codeOf(await post({ query: OTHER, extensions: persisted(OTHER) }, 403)), "FORBIDDEN");
        assert.equal(codeOf(await post({ extensions: persisted(OTHER) })), "PERSISTED_QUERY_NOT_FOUND");
        const token = await gateway.token("captain");
        const socket = await new SocketClient(`${gateway.baseUrl.replace("http", "ws")}/?token=${token}`).opened();
        const query = "subscription { CountriesMessageAdded { code } }";
        socket.send({ type: "subscribe", id: "1", schema: "world", query });
        assert.equal((await socket.take("error"))["error"], "NOT_ALLOWED");
        socket.webSocket.close();
      } finally {
        await gateway.close();
      }
    });

  it("automatic ones are kept once they have been valid, under their own hash only", async () => {
    const gateway = await testGateway({ config: { persistedQueries: true } });
    try {
      const post = await poster(gateway);
      assert.equal(codeOf(await post({ extensions: persisted(QUERY) })), "PERSISTED_QUERY_NOT_FOUND");
      assert.equal(codeOf(await post({ query: QUERY, extensions: persisted(OTHER) }, 400)), "BAD_USER_INPUT");
      assert.equal(codeOf(await post({ extensions: persisted(OTHER) })), "PERSISTED_QUERY_NOT_FOUND");
      assert.deepEqual((await post({ query: QUERY, extensions: persisted(QUERY) })).body, GERMANY);
      assert.deepEqual((await post({ extensions: persisted(QUERY) })).body, GERMANY);
      const wrong = "{ nothing }";
      assert.equal(codeOf(await post({ query: wrong, extensions: persisted(wrong) })), "BAD_USER_INPUT");
      assert.equal(codeOf(await post({ extensions: persisted(wrong) })), "PERSISTED_QUERY_NOT_FOUND");
      const many = (index: number): string => `{ a${index}: __typename }`;
      for (let index = 0; index < 1001; index += 10)
        await post(
          Array.from({ length: 10 }, (_, offset) => ({
            query: many(index + offset),
            extensions: persisted(many(index + offset)),
          })),
        );
      assert.equal(codeOf(await post({ extensions: persisted(QUERY) })), "PERSISTED_QUERY_NOT_FOUND");
      assert.equal((await post({ extensions: persisted(many(1000)) })).body.errors, undefined);
      assert.equal(codeOf(await post({ documentId: "abc" })), "PERSISTED_QUERY_NOT_SUPPORTED");
    } finally {
      await gateway.close();
    }
  });

  it("make the start fail if they cannot be read", async () => {
    for (const [name, text] of [
      ["none.json", undefined],
      ["broken.json", "{"],
      ["list.json", "[]"],
      ["numbers.json", '{"a": 1}'],
      ["format.json", '{"format": "other", "operations": []}'],
    ] as const) {
      if (text !== undefined) writeFileSync(join(folder, name), text);
      assert.throws(() => readTrustedDocuments(join(folder, name)), Error, name);
    }
    const { name, url, gatewayUrl, drop } = await testDatabase({ kind: "portolan" });
    const databases = { [name]: { url: gatewayUrl, ownerUrl: url } };
    const config = makeConfig({ databases, port: 0, trustedDocuments: join(folder, "broken.json") });
    await assert.rejects(startGateway(config, createLog("silent")), /trustedDocuments: .* cannot be read/);
    await drop();
    assert.throws(() => makeConfig({ trustedDocumentsOnly: true }), /needs TRUSTED_DOCUMENTS/);
  });
});
