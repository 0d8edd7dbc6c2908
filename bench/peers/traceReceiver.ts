/** A receiver of traces that reads and discards them. A GET answers the number of bytes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let bytes = 0;
const server = createServer((request, response) => {
  if (request.method === "GET") return void response.end(String(bytes));
  request.on("data", (chunk: Buffer) => (bytes += chunk.length));
  request.once("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end("{}"));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
