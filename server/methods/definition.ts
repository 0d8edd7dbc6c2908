/** The body of POST and PATCH of a stored method, checked with all its faults at once. */
import { z } from "zod";
import { sqlstateOf } from "../ground/errors.ts";
import { IGNORED_OF_SQL, ignored } from "../kernel/http/ignoredMembers.ts";
import { METHOD_LIMITS } from "./limits.ts";
import { OUTPUT_FORMATS } from "../formats/names.ts";
import { readStatement } from "./statement/statement.ts";

const q = z
  .string()
  .min(1, { error: "the statement is empty", abort: true })
  .superRefine((text, context) => {
    try {
      readStatement(text);
    } catch (error) {
      const message = error instanceof Error ? error.message.replace(/^q: /, "") : String(error);
      context.addIssue({ code: "custom", message, params: { sqlstate: sqlstateOf(error) } });
    }
  });

const { descriptionLength, integers, name, reservedName, textLength, typeName } = METHOD_LIMITS;
const integer = (member: keyof typeof integers) => z.int().min(integers[member][0]).max(integers[member][1]);

const texts = z.record(z.string(), z.string().min(1).max(textLength));

export const TYPE_NAME = new RegExp(typeName, "u");

const typeNames = z.record(z.string(), z.string().max(textLength).regex(TYPE_NAME, "must be the name of a type"));

const changeable = {
  type_hints: typeNames
    .nullish()
    .meta({ description: "Name of a parameter or column → name of a type, with [] for arrays" }),
  type_formats: texts
    .nullish()
    .meta({ description: "Name of a parameter or column → pattern of dates and times in the letters of PHP's date()" }),
  output_format: z.enum(OUTPUT_FORMATS).optional().meta({ description: "Default json" }),
  srs: integer("srs").optional().meta({ description: "EPSG code of geometries in the result; default 4326" }),
  description: z.string().max(descriptionLength).nullish(),
  timeout_ms: integer("timeout_ms").nullish(),
  max_rows: integer("max_rows").nullish(),
  cache_seconds: integer("cache_seconds").nullish(),
  published: z.boolean().optional().meta({ description: "Whether others may call it; for super users" }),
};

/** The type that a dry run found for a parameter or column. */
export const foundType = z.object({
  type: z.string(),
  array: z.boolean(),
  typescript: z.string().meta({ description: "As TypeScript writes it, null included" }),
  optional: z.boolean().optional(),
});

export const methodName = z
  .string()
  .regex(new RegExp(name), "must be 1 to 100 of A-Z, a-z, 0-9 and _.-, and start with a letter or _")
  .refine((text) => !new RegExp(reservedName).test(text), "must not start with rpc.");

export const newMethod = z
  .strictObject({ method: methodName, q, ...changeable, ...ignored(IGNORED_OF_SQL) })
  .meta({ title: "NewMethod" });
export const methodChange = z
  .strictObject({ q: q.optional(), ...changeable, ...ignored(IGNORED_OF_SQL) })
  .meta({ title: "MethodChange" });

/** The methods of a configuration, by their names: each with its definition and owner. */
export const configuredMethods = z.record(
  methodName,
  z.strictObject({ q: q.optional(), ...changeable, owner: z.string().nullish() }),
);

/** The same members for a statement that is not stored, with its parameters. */
export const sqlStatement = z
  .strictObject({
    q,
    params: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()).max(10_000)], {
        error: "must be an object, or an array of at most 10,000 of them",
      })
      .optional()
      .meta({ description: "Parameters by name; an array of such objects runs the statement once for each" }),
    type_hints: changeable.type_hints,
    type_formats: changeable.type_formats,
    output_format: changeable.output_format,
    srs: changeable.srs,
    timeout_ms: changeable.timeout_ms,
    max_rows: changeable.max_rows,
    explain: z.enum(["plan", "analyze"]).optional().meta({
      description:
        "plan: how PostgreSQL would run it; analyze: it is run, and rolled back. The answer has the plan in place of rows",
    }),
    dry: z.boolean().optional().meta({
      description: "It is run, answered as ever, and rolled back; in a list true for all or for none. Default false",
    }),
    ...ignored(IGNORED_OF_SQL),
  })
  .meta({ title: "SqlStatement" });

/** For a dry run of a draft. Its statement is parsed when it runs, so that an error names the place. */
export const methodDraft = sqlStatement
  .omit({ params: true, explain: true, dry: true })
  .extend({ q: z.string().min(1) })
  .meta({ title: "MethodDraft" });

export type NewMethod = z.infer<typeof newMethod>;
export type MethodChange = z.infer<typeof methodChange>;
