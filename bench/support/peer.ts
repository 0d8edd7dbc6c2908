/** The other side of a comparison: a small server in a process of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

export interface Peer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts `bench/peers/<name>.ts`, which prints its address when it answers. */
export async function startPeer(name: string, env: Record<string, string>): Promise<Peer> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, "..", "peers", `${name}.ts`)], {
    env: { PATH: process.env["PATH"], GRAPHILE_ENV: "production", NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    void ended.then(() => reject(new Error(`the peer ${name} ended`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
