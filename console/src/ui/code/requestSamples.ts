/** Code that sends JSON to the service, or reads from it. */
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

/** Code that reads a JSON document. `rest`: in TypeScript and Python, the code after the request, which uses `answer`. */
export function readSamples(
  path: string,
  parameters: Readonly<Record<string, string>>,
  rest: { readonly typescript: string; readonly python: string },
  declarations = "",
): readonly Sample[] {
  const given = Object.entries(parameters);
  const address = `${service}${path}?${new URLSearchParams(parameters)}`;
  return [
    {
      name: "curl",
      code: `curl -sG ${shellWord(service + path)} \\
  -H 'Authorization: Bearer ${TOKEN_PLACE}' \\
${given.map(([name, value]) => `  --data-urlencode ${shellWord(`${name}=${value}`)}`).join(" \\\n")}
`,
    },
    {
      name: "TypeScript",
      code: `${declarations}const response = await fetch(${JSON.stringify(address)}, {
  headers: { Authorization: "Bearer ${TOKEN_PLACE}" },
});
if (!response.ok) throw new Error(((await response.json()) as { detail: string }).detail);
${rest.typescript}
`,
    },
    {
      name: "Python",
      code: `import json
import urllib.parse
import urllib.request

query = urllib.parse.urlencode(${python(parameters)})
request = urllib.request.Request(
    ${JSON.stringify(`${service}${path}?`)} + query,
    headers={"Authorization": "Bearer ${TOKEN_PLACE}"},
)
answer = json.load(urllib.request.urlopen(request))
${rest.python}
`,
    },
  ];
}

/** Code that makes a request of the REST interface. `mediaType`: of its body; undefined where it has none. */
export function callSamples(
  method: string,
  path: string,
  { mediaType, takesToken }: { readonly mediaType: string | undefined; readonly takesToken: boolean },
): readonly Sample[] {
  const address = service + path;
  const isPlain = method === "GET" && mediaType === undefined;
  const headers = Object.entries({
    ...(takesToken && { Authorization: `Bearer ${TOKEN_PLACE}` }),
    ...(mediaType !== undefined && { "Content-Type": mediaType }),
  });
  const members = headers.map(([name, value]) => `${name.includes("-") ? `"${name}"` : name}: "${value}"`).join(", ");
  const quoted = headers.map(([name, value]) => `"${name}": "${value}"`).join(", ");
  return [
    {
      name: "curl",
      code: `${[
        `curl -s ${isPlain ? "" : `-X ${method} `}${shellWord(address)}`,
        ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
        ...(mediaType === undefined ? [] : ["--data-binary @body"]),
      ].join(" \\\n  ")}
`,
    },
    {
      name: "TypeScript",
      code: `const response = await fetch(${JSON.stringify(address)}, {
${isPlain ? "" : `  method: ${JSON.stringify(method)},\n`}${members === "" ? "" : `  headers: { ${members} },\n`}${mediaType === undefined ? "" : "  body,\n"}});
console.log(response.status, await response.text());
`,
    },
    {
      name: "Python",
      code: `import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address)},
    method=${JSON.stringify(method)},
${quoted === "" ? "" : `    headers={${quoted}},\n`}${mediaType === undefined ? "" : "    data=body,\n"})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
`,
    },
  ];
}

/** JSON on several lines, for code that is indented already. */
export function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}
