/** The cost of sockets that wait for events. */
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";
import { testDatabase } from "../test/support/databases.ts";
import { signInAs } from "../test/support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../test/support/process.ts";
import type { Benchmark } from "./support/benchmark.ts";

const SOCKETS = 10_000;
/** Opened at the same time. */
const AT_ONCE = 100;
/** The number of ports of one address is limited. */
const ADDRESSES = 4;

/** As accounts connect: from several places, each with its own token. */
const SIGN_INS = 20;

export const benchmark: Benchmark = {
  name: "change events: idle sockets",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town; create table town.rows (id int primary key, t text);
select portolan.create_user('reader', null), portolan.set_privilege('town.rows', 'reader', 'read');
select portolan.enable_events('town.rows')`);
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "error",
      MAX_SOCKETS_PER_ACCOUNT: String(SOCKETS),
    });
    const sockets: WebSocket[] = [];
    try {
      const signIns = Array.from({ length: SIGN_INS }, () => signInAs(database, gateway.baseUrl, "reader"));
      const urls = (await Promise.all(signIns)).map(
        (token) => `${gateway.baseUrl.replace("http", "ws")}/?token=${token}`,
      );
      const before = megabytesOf(gateway.pid);
      const began = performance.now();
      let next = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < SOCKETS) sockets.push(await subscribe(urls[next % SIGN_INS]!, next++));
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      let got = 0;
      for (const socket of sockets) socket.on("message", () => got++);
      await setTimeout(3000);
      const idle = megabytesOf(gateway.pid);
      const written = performance.now();
      await database.client.query("insert into town.rows values (1, 'x')");
      for (let patience = 600; got < SOCKETS && patience > 0; patience--) await setTimeout(20);
      const all = performance.now() - written;
      return [
        {
          what: `${SOCKETS} idle sockets, each with a subscription`,
          ours: `${Math.round(idle)} MB in all, ${(((idle - before) * 1024) / SOCKETS).toFixed(1)} kB each`,
          peer: `opened at ${Math.round(SOCKETS / seconds)}/s`,
          ratio: (1024 / idle).toFixed(2),
          target: "< 1 GB",
        },
        {
          what: `one event to ${SOCKETS} sockets`,
          ours: `${Math.round(all)} ms to the last`,
          peer: `${got} of ${SOCKETS}`,
          ratio: "",
          target: "",
        },
      ];
    } finally {
      for (const socket of sockets) socket.terminate();
      await gateway.stop();
      await database.drop();
    }
  },
};

async function subscribe(url: string, index: number): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, localAddress: `127.0.0.${2 + (index % ADDRESSES)}` });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const answer = new Promise<string>((resolve) =>
    socket.once("message", (data) => resolve((data as Buffer).toString("utf8"))),
  );
  socket.send(JSON.stringify({ type: "subscription", id: "s", schema: "town", rel: "rows" }));
  const text = await answer;
  if (!text.startsWith('{"type":"subscription_ack"')) throw new Error(text);
  return socket;
}
