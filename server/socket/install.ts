import type { Door } from "../kernel/door.ts";
import type { Kernel } from "../kernel.ts";
import type { SocketDoors } from "./session.ts";
import { createSockets, type Sockets } from "./sockets.ts";

/** `doors`: the doors behind the sockets. */
export function installSockets(
  { config, databaseOf, host, identifier, limiter, log, metrics, requestLog }: Kernel,
  doors: Pick<SocketDoors, "eventsOf" | "run" | "call" | "refuseCall" | "sql">,
): Door & Pick<Sockets, "upgrade" | "close" | "count"> {
  const sockets = createSockets({
    ...doors,
    config,
    databaseOf,
    host,
    log,
    registry: metrics.registry,
    verify: (token, shown) => identifier.verify(token, shown),
    nonceFor: (token) => identifier.nonceFor(token),
    count: (key) => limiter.count(key),
    noteSocket: (requestId, asker, signal) => requestLog.noteSocket(requestId, asker, signal),
  });
  return {
    upgrade: sockets.upgrade,
    close: sockets.close,
    count: sockets.count,
    routes: [],
    onAccounts: ({ name }) => sockets.recheck(name),
    isInUse: ({ name }) => sockets.count(name) > 0,
    rest: ({ name }) => sockets.rest(name),
  };
}
