import type { Door } from "../kernel/door.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { SocketDoors } from "./session.ts";
import { createSockets, type Sockets } from "./sockets.ts";

/** `doors`: what the sockets are doors to. */
export function installSockets(
  { config, databaseOf, identifier, limiter, log, metrics }: Kernel,
  doors: Pick<SocketDoors, "eventsOf" | "run" | "call" | "refuseCall" | "sql">,
): Door & Sockets {
  const sockets = createSockets({
    ...doors,
    config,
    databaseOf,
    log,
    registry: metrics.registry,
    verify: (token) => identifier.verify(token),
    count: (key) => limiter.count(key),
  });
  return { ...sockets, routes: [], onAccounts: ({ name }) => sockets.recheck(name) };
}
