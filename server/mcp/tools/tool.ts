/** A tool of the agents' door. To add one: a file beside this one, and a line in `all.ts`. */
import { z } from "zod";
import { GatewayError } from "../../ground/errors.ts";
import type { Agent } from "../agent.ts";
import type { Table } from "../catalogue.ts";
import { exampleFor, type ExampleOptions } from "../examples.ts";

/** The result of a call. */
export interface ToolAnswer {
  /** Structured content; its JSON is the text of the result too. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** A picture beside it. */
  readonly image?: { readonly mediaType: string; readonly body: Buffer };
}

/** A JSON Schema whose root is an object. */
export type ObjectSchema = { readonly type: "object"; readonly [member: string]: unknown };

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For a reader that sees nothing else. */
  readonly description: string;
  /** Arguments of a table that the account sees; they are added to the description. */
  readonly example?: ExampleOptions;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Whether it changes rows, so that it needs the scope `mcp:write`. */
  readonly writes: boolean;
  /** Whether its writes can lose data by deleting or overwriting. */
  readonly destroys: boolean;
  /** The table that the arguments name, for the log of requests. */
  readonly subject?: string;
  /** Whether it is of any use to the account. */
  isOffered(agent: Agent, tables: readonly Table[]): boolean;
  /** Throws `INVALID_PARAMS` for bad arguments. */
  run(agent: Agent, given: unknown): Promise<ToolAnswer>;
}

interface ToolOf<Args extends z.ZodType> extends Omit<
  Tool,
  "inputSchema" | "outputSchema" | "run" | "writes" | "destroys" | "isOffered"
> {
  readonly input: Args;
  readonly output: z.ZodType;
  readonly writes?: boolean;
  readonly destroys?: boolean;
  isOffered?(agent: Agent, tables: readonly Table[]): boolean;
  run(agent: Agent, args: z.infer<Args>): Promise<ToolAnswer>;
}

/** A tool whose schemas are made of those of zod. */
export function toolOf<Args extends z.ZodType>({ input, output, run, ...tool }: ToolOf<Args>): Tool {
  return {
    writes: false,
    destroys: false,
    isOffered: () => true,
    ...tool,
    inputSchema: plain(input),
    outputSchema: plain(output),
    run: async (agent, given) => run(agent, checked(input, given)),
  };
}

/** The description with an example. */
export async function describedFor(
  agent: Agent,
  tables: readonly Table[],
  { description, example }: Tool,
): Promise<string> {
  const given = example && (await exampleFor(agent, tables, example));
  return given === undefined ? description : `${description} Example: ${given}`;
}

function plain(schema: z.ZodType): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return JSON.parse(JSON.stringify(rest, withoutNoise)) as ObjectSchema;
}

/** Parts that tell a reader nothing: the bounds of a double's whole numbers, and that names are text. */
function withoutNoise(name: string, value: unknown): unknown {
  const isBound = (name === "minimum" || name === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  const isAny = name === "additionalProperties" && JSON.stringify(value) === "{}";
  return isBound || isAny || name === "propertyNames" || name === "maxLength" || name === "maxItems"
    ? undefined
    : value;
}

function checked<Args extends z.ZodType>(schema: Args, given: unknown): z.infer<Args> {
  const { success, data, error } = schema.safeParse(given ?? {});
  if (success) return data;
  const faults = error.issues.map(
    ({ path, message }) => `${path.length > 0 ? path.join(".") : "arguments"}: ${message}`,
  );
  throw new GatewayError("INVALID_PARAMS", faults.join("; "));
}

export const tableName = z
  .string()
  .min(1)
  .max(300)
  .describe('As describe lists it: "schema.table", or "table" where only one schema has it');

export const cursorText = z
  .string()
  .max(200_000)
  .describe("Continues the list after the last answer; needs no other argument");

export const nextCursor = z.string().optional().describe("Where the list goes on; absent at its end");

export const anObject = z.record(z.string(), z.unknown());
