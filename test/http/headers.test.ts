import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CommonHeaders, ListedAnswer } from "../../server/kernel/http/listedHeaders.ts";

const COMMON: readonly (readonly [string, string])[] = [
  ["X-Frame-Options", "SAMEORIGIN"],
  ["Content-Security-Policy", "default-src 'none'"],
];

/** The uses of an answer that doors, Node and the packages make. */
const USES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  "headers one by one, whatever the letters' case": (response) => {
    response.setHeader("X-One", "1").setHeader("x-one", "2").setHeader("Content-Length", 4);
    response.end("text");
    return [response.getHeader("X-ONE"), response.hasHeader("x-two")];
  },
  "another value for one that all answers have": (response) => {
    response.setHeader("content-security-policy", "default-src 'self'");
    response.end();
    return response.getHeader("Content-Security-Policy");
  },
  "several values, added and taken away": (response) => {
    response.appendHeader("Link", "<a>").appendHeader("Link", ["<b>", "<c>"]).setHeader("Set-Cookie", ["d=1", "e=2"]);
    response.appendHeader("X-Frame-Options", "DENY");
    response.setHeader("X-Gone", "1");
    response.removeHeader("x-gone");
    response.removeHeader("Date");
    response.end();
    return response.getHeader("link");
  },
  "none of those that all answers have": (response) => {
    for (const [name] of COMMON) response.removeHeader(name);
    response.setHeader("X-Frame-Options", "DENY");
    response.end();
    return response.getHeaderNames();
  },
  "a list of all": (response) => {
    response.setHeaders(new Map([["X-One", "1"]]));
    response.setHeaders(new Headers({ "X-Two": "2" }));
    const all = { ...response.getHeaders() };
    response.end();
    return all;
  },
  "status and headers at once": (response) => {
    response.setHeader("X-One", "1");
    response.writeHead(404, { "X-One": "2", Allow: ["GET", "HEAD"], "Content-Length": 0 }).end();
    return response.headersSent;
  },
  "a reason, and names and values in turn": (response) => {
    response.setHeader("X-One", "1");
    response.writeHead(400, "Not So", ["X-One", "2", "X-One", "3"]);
    response.end("no");
    return response.statusMessage;
  },
  "a reason that was set before": (response) => {
    response.statusMessage = "Not So";
    response.statusCode = 409;
    response.end("no");
    return response.statusCode;
  },
  "a short body of bytes": (response) => {
    response.setHeader("Content-Disposition", "attachment").setHeader("X-One", 1);
    response.end(Buffer.from([0, 0x7f, 0x80, 0xff, 0xc3, 0xa4]));
    return response.headersSent;
  },
  "a long body of bytes": (response) => {
    response.writeHead(200, { Connection: "close", "X-One": "1" }).end(Buffer.alloc(100_000, "ä"));
    return response.getHeader("connection");
  },
  "a body in pieces": (response) => {
    response.setHeader("Trailer", "X-End");
    response.write("one");
    response.addTrailers({ "X-End": "1" });
    response.end("two");
    return response.headersSent;
  },
  "no body": (response) => {
    response.writeHead(204).end();
    return response.getHeaderNames();
  },
  "a value that no header can have": (response) => {
    const codes = [
      () => response.setHeader("X-One", "a\r\nb"),
      () => response.setHeader("X One", "a"),
      () => response.appendHeader("X-One", ["a", "\0"]),
    ].map(codeOf);
    response.end();
    return codes;
  },
  "a header too late": (response) => {
    response.end("x");
    return [
      () => response.setHeader("X-One", "1"),
      () => response.removeHeader("X-One"),
      () => response.writeHead(200),
    ].map(codeOf);
  },
};

function codeOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

describe("the headers of an answer", () => {
  const servers: Server[] = [];
  after(() => servers.forEach((server) => server.close()));

  /** What a client gets of each use, and what the use says. */
  async function answers(options: object): Promise<Record<string, unknown>> {
    const common = new CommonHeaders(COMMON);
    const said = new Map<string, unknown>();
    const server = createServer(options, (request, response) => {
      const name = decodeURIComponent(request.url!.slice(1));
      common.set(response);
      said.set(name, USES[name]!(response));
    });
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const got: Record<string, unknown> = {};
    for (const name of Object.keys(USES)) {
      const [response] = (await once(get({ port, path: `/${encodeURIComponent(name)}` }), "response")) as [
        IncomingMessage,
      ];
      const chunks = await response.toArray();
      const { statusCode, statusMessage, rawHeaders, rawTrailers } = response;
      const headers = rawHeaders.map((text, at) => (rawHeaders[at - 1] === "Date" ? "now" : text));
      got[name] = [statusCode, statusMessage, headers, rawTrailers, Buffer.concat(chunks).toString(), said.get(name)];
    }
    return got;
  }

  it("are those of Node's own answers, in the same order, for every use of them", async () => {
    const own = await answers({ ServerResponse: ListedAnswer });
    const nodes = await answers({});
    for (const name of Object.keys(USES)) assert.deepEqual(own[name], nodes[name], name);
  });
});
