/** Code that calls a method. */
import { service } from "../../service/http/address.ts";
import { member } from "../../service/sql/literals.ts";
import type { Params } from "../../service/methods.ts";
import { TOKEN_PLACE, type Sample } from "../../ui/code/CodeSamples.tsx";
import { curlSample, pythonSample } from "../../ui/code/requestSamples.ts";

const PATH = "/api/v4/call";

export function samplesOf(method: string, params: Params): readonly Sample[] {
  const message = { jsonrpc: "2.0", method, params, id: 1 };
  return [
    {
      name: "TypeScript",
      code: `import { createClient } from "portolan/client";
import type { Methods } from "./methods.ts"; // npx portolan interfaces --out methods.ts

const client = createClient<Methods>({ url: ${JSON.stringify(service)}, token: "${TOKEN_PLACE}" });
const rows = await client.methods${member(method)}(${JSON.stringify(params)});
console.log(rows);
`,
    },
    curlSample(PATH, message),
    pythonSample(
      PATH,
      message,
      'if "error" in answer:\n    raise SystemExit(answer["error"])\nprint(answer["result"]["data"])',
    ),
  ];
}
