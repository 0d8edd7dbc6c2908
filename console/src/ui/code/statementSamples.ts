/** Code that runs the same statements. */
import type { Sample } from "./CodeSamples.tsx";
import { curlSample, pythonSample, typescriptSample } from "./requestSamples.ts";

const PATH = "/api/v4/sql";

/** `body`: the request body, for one statement or a list of them. */
export function statementSamples(body: object): readonly Sample[] {
  const isList = Array.isArray(body);
  return [
    curlSample(PATH, body),
    typescriptSample(
      PATH,
      body,
      `if (!response.ok) throw new Error(((await response.json()) as { detail: string }).detail);
${
  isList
    ? "const results = (await response.json()) as { data: unknown[] }[];\nfor (const { data } of results) console.log(data);"
    : "const { data } = (await response.json()) as { data: unknown[] };\nconsole.log(data);"
}`,
    ),
    pythonSample(PATH, body, isList ? 'for result in answer:\n    print(result["data"])' : 'print(answer["data"])'),
  ];
}
