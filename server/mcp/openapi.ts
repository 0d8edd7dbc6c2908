/** The part of the OpenAPI document about agents. The protocol defines the messages. */
import { json, problems, type Json } from "../kernel/rest/openapi.ts";

export const mcpPaths: Readonly<Record<string, Json>> = {
  "/mcp/{database}": {
    post: {
      operationId: "mcp",
      summary: "A message of the Model Context Protocol (2026-07-28, or an older revision without sessions)",
      description:
        "For agents, where the option mcp is on. It takes access tokens for this very address (RFC 8707), and writes only with the scope mcp:write.",
      tags: ["agents"],
      parameters: [{ name: "database", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: true, ...json({ type: "object", description: "JSON-RPC 2.0" }) },
      responses: {
        200: {
          description: "JSON-RPC 2.0, also for errors of tools; a stream of events for a subscription",
          content: {
            "application/json": { schema: { type: "object" } },
            "text/event-stream": { schema: { type: "string" } },
          },
        },
        202: { description: "It was a notification" },
        ...problems(400, 401, 403, 404, 413, 415),
      },
    },
  },
};
