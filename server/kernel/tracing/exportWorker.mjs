// JavaScript, since a thread starts from a file by its name, built or not.
import { parentPort, workerData } from "node:worker_threads";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";

const { exporter: options, resource, scope } = workerData;
const exporter = new OTLPTraceExporter(options);

parentPort?.on("message", ({ id, spans }) =>
  exporter.export(
    spans.map(({ context, ...span }) => ({
      ...span,
      resource,
      instrumentationScope: scope,
      spanContext: () => context,
    })),
    ({ code, error }) => parentPort?.postMessage({ id, code, message: error?.message }),
  ),
);
