import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Answer, ConstantHeaders } from "../../server/kernel/http/constantHeaders.ts";

const HEADERS = new ConstantHeaders([
  ["X-One", "1"],
  ["Content-Security-Policy", "default-src 'none'"],
]);

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "a text": (response) => response.end("text"),
  "a part after the other": (response) => {
    response.write("te");
    response.end("xt");
  },
  "a head by itself": (response) => response.writeHead(204, { "X-Two": "2" }).end(),
  "not modified": (response) => {
    response.statusCode = 304;
    response.end();
  },
};

/** What comes, each header as often as it comes. */
async function answerOf(options: ServerOptions, answer: (response: ServerResponse) => void): Promise<IncomingMessage> {
  const server = createServer(options, (_request, response) => {
    HEADERS.setOn(response);
    response.setHeader("X-Request-Id", "7");
    answer(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const [response] = (await once(
      get({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false }),
      "response",
    )) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    return response;
  } finally {
    server.close();
  }
}

const namesOf = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.flatMap((text, index) => (index % 2 === 0 ? [text.toLowerCase()] : [])).sort();

describe("headers that every answer has", () => {
  for (const [where, options] of [
    ["our own server", { ServerResponse: Answer }],
    ["another application's", {}],
  ] as const)
    describe(`on ${where}`, () => {
      for (const [what, answer] of Object.entries(ANSWERS))
        it(`come once with ${what}`, async () => {
          const response = await answerOf(options, answer);
          assert.equal(response.headers["x-one"], "1");
          assert.equal(response.headers["x-request-id"], "7");
          assert.equal(response.headers["content-security-policy"], "default-src 'none'");
          assert.deepEqual(namesOf(response), [...new Set(namesOf(response))]);
        });

      it("give way to those of an answer", async () => {
        const response = await answerOf(options, (own) => {
          own.setHeader("content-security-policy", "default-src 'self'");
          own.end();
        });
        assert.equal(response.headers["content-security-policy"], "default-src 'self'");
        assert.equal(response.headers["x-one"], "1");
        assert.deepEqual(namesOf(response), [...new Set(namesOf(response))]);
      });
    });
});
