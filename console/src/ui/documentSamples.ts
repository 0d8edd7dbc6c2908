/** How programs ask GraphQL. */
import { service } from "../service/address.ts";
import { documentPath, type DocumentRequest } from "../service/documents.ts";
import { python, shellWord } from "../service/literals.ts";
import { TOKEN_PLACE, type Sample } from "./CodeSamples.tsx";

export interface SampleOptions {
  /** TypeScript that stands before the request. */
  readonly declarations?: string;
  /** The type of `data` in TypeScript; default `unknown`. */
  readonly dataType?: string;
  /** The member of `data` that is printed; default: all of it. */
  readonly field?: string;
}

/** The same request in several languages. */
export function documentSamples(
  schema: string,
  request: DocumentRequest,
  { declarations = "", dataType = "unknown", field }: SampleOptions = {},
): readonly Sample[] {
  const address = `${service}${documentPath(schema)}`;
  return [
    {
      name: "curl",
      code: `curl -s ${shellWord(address)} \\
  -H 'Authorization: Bearer ${TOKEN_PLACE}' \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(request))}
`,
    },
    {
      name: "TypeScript",
      code: `${declarations}const response = await fetch(${JSON.stringify(address)}, {
  method: "POST",
  headers: { Authorization: "Bearer ${TOKEN_PLACE}", "Content-Type": "application/json" },
  body: JSON.stringify(${indented(request, "  ")}),
});
const { data, errors } = (await response.json()) as { data?: ${dataType}; errors?: { message: string }[] };
if (!data) throw new Error(errors?.[0]?.message);
console.log(data${field === undefined ? "" : `.${field}`});
`,
    },
    {
      name: "Python",
      code: `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=json.dumps(${python(request)}).encode(),
    headers={"Authorization": "Bearer ${TOKEN_PLACE}", "Content-Type": "application/json"},
)
answer = json.load(urllib.request.urlopen(request))
if "errors" in answer:
    raise SystemExit(answer["errors"])
print(answer["data"]${field === undefined ? "" : `["${field}"]`})
`,
    },
  ];
}

/** A subscription goes over the WebSocket. */
export function subscriptionSamples(schema: string, request: DocumentRequest): readonly Sample[] {
  const address = `${service}${documentPath(schema)}`.replace(/^http/, "ws");
  return [
    {
      name: "TypeScript",
      code: `import { createClient } from "graphql-ws"; // in Node also: import WebSocket from "ws"

const client = createClient({
  url: ${JSON.stringify(address)},
  connectionParams: { Authorization: "Bearer ${TOKEN_PLACE}" },
});
for await (const { data, errors } of client.iterate(${indented(request, "")})) console.log(data ?? errors);
`,
    },
  ];
}

function indented(request: DocumentRequest, indent: string): string {
  return JSON.stringify(request, null, 2).replaceAll("\n", `\n${indent}`);
}
