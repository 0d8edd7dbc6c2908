/** Transactions of 100 MB at the classic door: refused early, and without the memory that they would take. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { EDITOR, createSurveys } from "../ogc/editedByQgis.ts";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { exceptionOf } from "../ows/support.ts";

const MEGABYTE = 1_000_000;
const WHOLE = 100 * MEGABYTE;
const HEAD = `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:p="urn:p" service="WFS" version="2.0.0">`;
const insert = (name: string): string =>
  `<wfs:Insert><p:geo.surveys><p:name>${name}</p:name></p:geo.surveys></wfs:Insert>`;

describe("WFS: a transaction of 100 MB", () => {
  let gateway: OgcGateway;
  let address: string;
  let token: string;

  before(async () => {
    gateway = await ogcGateway({ config: { ogc: { transactions: true } }, prepare: createSurveys });
    address = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    token = await gateway.token(EDITOR.name);
  });
  after(() => gateway.close());

  /** Posts `each` again and again. Resolves with the answer, the bytes that were taken, and the growth of memory. */
  async function post(each: string, as: string | undefined, length?: number) {
    const piece = Buffer.from(each.repeat(Math.ceil(65_536 / each.length)));
    let sent = 0;
    function* pieces(): Generator<Buffer> {
      yield Buffer.from(HEAD);
      for (; sent < WHOLE; sent += piece.length) yield piece;
    }
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
    const [started, used] = [performance.now(), process.cpuUsage()];
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/xml",
          ...(as !== undefined && { authorization: `Bearer ${as}` }),
          ...(length !== undefined && { "content-length": String(length) }),
        },
        body: Readable.from(pieces()),
        duplex: "half",
      } as unknown as RequestInit);
      const { status, headers } = response;
      const answer = { status, headers, type: headers.get("content-type") ?? "", text: await response.text() };
      return {
        answer,
        sent,
        grown: most - before,
        took: performance.now() - started,
        usedMs: process.cpuUsage(used).user / 1000,
      };
    } finally {
      clearInterval(watch);
    }
  }

  const rows = async (): Promise<number> => {
    const found = await gateway.database.client.query<{ count: string }>("select count(*) as count from geo.surveys");
    return Number(found.rows[0]!.count);
  };

  it("of many features is refused when it has passed the limit, and writes nothing", async () => {
    const were = await rows();
    const { answer, sent, grown, usedMs } = await post(insert("n"), token);
    assert.equal(answer.status, 413, answer.text);
    assert.match(exceptionOf(answer).message, /64/);
    assert.ok(sent < 80 * MEGABYTE, `${sent} bytes were taken`);
    assert.ok(grown < 900 * MEGABYTE, `${grown} bytes of memory`);
    assert.ok(usedMs < 60_000, `${usedMs} ms of the processor`);
    assert.equal(await rows(), were);
  });

  it("of one endless text is refused as early, in the memory of the text", async () => {
    const { answer, sent, grown } = await post("x".repeat(1000), token);
    assert.ok([400, 413].includes(answer.status), answer.text);
    assert.ok(sent < 80 * MEGABYTE, `${sent} bytes were taken`);
    assert.ok(grown < 500 * MEGABYTE, `${grown} bytes of memory`);
  });

  it("of nobody is refused by its first element", async () => {
    const { answer, sent, grown, took } = await post(insert("n"), undefined);
    assert.equal(answer.status, 401);
    assert.ok(sent < 5 * MEGABYTE, `${sent} bytes were taken`);
    assert.ok(grown < 100 * MEGABYTE, `${grown} bytes of memory`);
    assert.ok(took < 5000, `${took} ms`);
  });
});
