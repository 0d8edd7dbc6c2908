/** How programs call a method. */
import { service } from "../../service/address.ts";
import { member, python, shellWord } from "../../service/literals.ts";
import type { Params } from "../../service/methods.ts";
import { TOKEN_PLACE, type Sample } from "../../ui/CodeSamples.tsx";

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
    {
      name: "curl",
      code: `curl -s ${shellWord(`${service}/api/v4/call`)} \\
  -H 'Authorization: Bearer ${TOKEN_PLACE}' \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(message))}
`,
    },
    {
      name: "Python",
      code: `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(`${service}/api/v4/call`)},
    data=json.dumps(${python(message)}).encode(),
    headers={"Authorization": "Bearer ${TOKEN_PLACE}", "Content-Type": "application/json"},
)
answer = json.load(urllib.request.urlopen(request))
if "error" in answer:
    raise SystemExit(answer["error"])
print(answer["result"]["data"])
`,
    },
  ];
}
