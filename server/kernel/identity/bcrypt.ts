/** bcrypt in a thread of its own: the library computes in JavaScript, some 75 ms at a time. */
import { Worker } from "node:worker_threads";
import { besideCode } from "../../ground/packageDirectory.ts";

/** bcrypt reads at most this many bytes of a password: a longer one would be accepted whatever its end is. */
const MAX_PASSWORD_BYTES = 72;
/** The worker ends when nobody has signed in with such a hash for this long. */
const IDLE_MS = 60_000;

interface Waiting {
  resolve(right: boolean): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let serial = 0;
const waiting = new Map<number, Waiting>();

/** Whether a password matches a bcrypt hash. False for an unreadable hash, and for more than 72 bytes. */
export function compareBcrypt(password: string, hash: string): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return Promise.resolve(false);
  clearTimeout(idle);
  worker ??= start();
  worker.ref(); // an answer is waited for; see below
  const id = ++serial;
  return new Promise<boolean>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker?.postMessage({ id, password, hash });
  });
}

function start(): Worker {
  const started = new Worker(besideCode("server/kernel/identity/bcryptWorker.mjs"));
  started.on("message", ({ id, right }: { id: number; right: boolean }) => {
    waiting.get(id)?.resolve(right);
    waiting.delete(id);
    if (waiting.size > 0) return;
    started.unref(); // idle, it keeps no process alive
    idle = setTimeout(() => void end(started), IDLE_MS).unref();
  });
  started.on("error", (error: Error) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  return started;
}

async function end(started: Worker): Promise<void> {
  worker = undefined;
  await started.terminate();
}
