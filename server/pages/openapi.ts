/** The part of the OpenAPI document about resources that need no account. */
import { json, problems, type Json } from "../kernel/rest/openapi.ts";

const inPath = (name: string, schema: Json): Json => ({ name, in: "path", required: true, schema });
const text: Json = { type: ["string", "null"] };

export const publicPaths: Readonly<Record<string, Json>> = {
  "/dashboards/{database}/{name}/panels/{panel}": {
    get: {
      operationId: "public_panel",
      summary: "The result of a panel of a dashboard that is shared with everybody",
      description:
        "The statement runs as anonymous, only reads, and is cancelled after panelTimeoutMs. The answer is up to panelSeconds old.",
      tags: ["dashboards"],
      security: [],
      parameters: [
        inPath("database", { type: "string" }),
        inPath("name", { type: "string", pattern: "^[a-z0-9-]{1,60}$" }),
        inPath("panel", { type: "integer", minimum: 1, maximum: 40, description: "Its place in the dashboard" }),
      ],
      responses: {
        200: {
          description: "Up to 1000 rows",
          ...json({
            type: "object",
            required: ["show", "title", "x", "y", "wide", "more", "schema", "data"],
            properties: {
              show: { enum: ["number", "line", "bar", "table"] },
              title: text,
              x: text,
              y: text,
              wide: { type: "boolean" },
              more: { type: "boolean", description: "Whether there are further rows" },
              schema: { type: "object", description: "Column \u2192 its type in PostgreSQL" },
              data: { type: "array", items: { type: "object" } },
            },
          }),
        },
        ...problems(400, 403, 404, 409),
      },
    },
  },
};
