/** Code that sends JSON to the service. */
import { service } from "../../service/http/address.ts";
import { python, shellWord } from "../../service/sql/literals.ts";
import { TOKEN_PLACE, type Sample } from "./CodeSamples.tsx";

export function curlSample(path: string, body: unknown): Sample {
  return {
    name: "curl",
    code: `curl -s ${shellWord(service + path)} \\
  -H 'Authorization: Bearer ${TOKEN_PLACE}' \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(body))}
`,
  };
}

/** `rest`: the code after the request, which uses `answer`. */
export function pythonSample(path: string, body: unknown, rest: string): Sample {
  return {
    name: "Python",
    code: `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(service + path)},
    data=json.dumps(${python(body)}).encode(),
    headers={"Authorization": "Bearer ${TOKEN_PLACE}", "Content-Type": "application/json"},
)
answer = json.load(urllib.request.urlopen(request))
${rest}
`,
  };
}

/** `rest`: the code after the request, which uses `response`. `declarations`: the code in front of it. */
export function typescriptSample(path: string, body: unknown, rest: string, declarations = ""): Sample {
  return {
    name: "TypeScript",
    code: `${declarations}const response = await fetch(${JSON.stringify(service + path)}, {
  method: "POST",
  headers: { Authorization: "Bearer ${TOKEN_PLACE}", "Content-Type": "application/json" },
  body: JSON.stringify(${indented(body, "  ")}),
});
${rest}
`,
  };
}

/** JSON on several lines, for code that is indented already. */
export function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}
