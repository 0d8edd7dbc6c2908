/** Code that runs GraphQL documents. */
import { service } from "../../service/http/address.ts";
import { documentPath, type DocumentRequest } from "../../service/documents.ts";
import { TOKEN_PLACE, type Sample } from "./CodeSamples.tsx";
import { curlSample, indented, pythonSample, typescriptSample } from "./requestSamples.ts";

export interface SampleOptions {
  /** TypeScript in front of the request. */
  readonly declarations?: string;
  /** The type of `data` in TypeScript. Default: `unknown`. */
  readonly dataType?: string;
  /** The member of `data` that is printed. Default: all of it. */
  readonly field?: string;
}

/** The same request in several languages. */
export function documentSamples(
  schema: string,
  request: DocumentRequest,
  { declarations = "", dataType = "unknown", field }: SampleOptions = {},
): readonly Sample[] {
  const path = documentPath(schema);
  return [
    curlSample(path, request),
    typescriptSample(
      path,
      request,
      `const { data, errors } = (await response.json()) as { data?: ${dataType}; errors?: { message: string }[] };
if (!data) throw new Error(errors?.[0]?.message);
console.log(data${field === undefined ? "" : `.${field}`});`,
      declarations,
    ),
    pythonSample(
      path,
      request,
      `if "errors" in answer:
    raise SystemExit(answer["errors"])
print(answer["data"]${field === undefined ? "" : `["${field}"]`})`,
    ),
  ];
}

/** Code for a subscription, which uses the WebSocket. */
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
