/** A proxy before PostgreSQL that shows what clients ask before it is asked, so that a test can end a client there. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalCluster } from "../../server/demo/cluster/localCluster.ts";

export interface Intercepted {
  /** The connection string that leads through the proxy. */
  through(url: string): string;
  close(): Promise<void>;
}

export interface Interception {
  /** Hears each message of a client, in the words of the protocol. */
  onAsked(text: string): void;
  /** Hears each answer of PostgreSQL before the client does. */
  onAnswered(): void;
}

/** Forwards the connections to a cluster. Those of replication are not shown. */
export async function intercept(
  cluster: Pick<LocalCluster, "url">,
  { onAsked, onAnswered }: Interception,
): Promise<Intercepted> {
  const folder = mkdtempSync(join(tmpdir(), "portolan-proxy-"));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user
  const [, host = "", port = ""] = /@([^:/]+):(\d+)\//.exec(cluster.url("postgres")) ?? [];
  const name = `.s.PGSQL.${port}`;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(join(decodeURIComponent(host), name));
    let isShown: boolean | undefined;
    client.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      isShown ??= !text.includes("replication\0");
      if (isShown) onAsked(text);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isShown) onAnswered();
      client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const end = (): void => [client, upstream].forEach((one) => one.destroy());
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(join(folder, name), resolve));
  chmodSync(join(folder, name), 0o777);
  return {
    through: (url) => url.replace(`@${host}:`, () => `@${encodeURIComponent(folder)}:`),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
