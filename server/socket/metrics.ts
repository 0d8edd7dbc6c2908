/** The metrics of sockets for Prometheus. */
import { Counter, Gauge, type Registry } from "prom-client";

export type Protocol = "portolan" | "graphql-transport-ws";

export interface SocketMetrics {
  readonly received: Counter<"protocol">;
  readonly sent: Counter<"protocol">;
  readonly closed: Counter<"protocol" | "code">;
  readonly slowReaders: Counter<"protocol">;
}

/** `open`: how many sockets of a protocol are open now. */
export function createSocketMetrics(registry: Registry, open: (protocol: Protocol) => number): SocketMetrics {
  const registers = [registry];
  new Gauge({
    name: "portolan_sockets",
    help: "Sockets that are open",
    labelNames: ["protocol"],
    registers,
    collect() {
      for (const protocol of ["portolan", "graphql-transport-ws"] as const) this.set({ protocol }, open(protocol));
    },
  });
  const counter = (name: string, help: string): Counter<"protocol"> =>
    new Counter({ name, help, labelNames: ["protocol"], registers });
  return {
    received: counter("portolan_socket_messages_received_total", "Messages from clients"),
    sent: counter("portolan_socket_messages_sent_total", "Messages to clients"),
    closed: new Counter({
      name: "portolan_sockets_closed_total",
      help: "Sockets that have ended, by the code of their end (1006: without one)",
      labelNames: ["protocol", "code"],
      registers,
    }),
    slowReaders: counter("portolan_socket_slow_readers_total", "Sockets closed because their client did not keep up"),
  };
}
