/**
 * Saved maps, queries, dashboards and views, over REST. Row security of each table decides who sees and changes what.
 * `portolan.saved_kinds` lists the same kinds in SQL.
 */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { taking, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { savedName } from "./savedShape.ts";

export interface SavedKind<Members extends z.ZodRawShape> {
  readonly noun: string;
  /** The name of the table in schema `portolan`, and of the path. */
  readonly plural: string;
  readonly title: string;
  readonly description: string;
  /** The members that its owner changes, and `owner`. */
  readonly members: Members;
  /** Members that a new one must have. */
  readonly required: readonly (keyof Members & string)[];
  /** Further members of the answer. */
  readonly answered?: z.ZodRawShape;
}

/** The schemas of a kind, and its resources. */
export interface Saved {
  /** A new one, with its name. */
  readonly create: z.ZodType<{ name: string }>;
  readonly change: z.ZodType<object>;
  readonly resources: readonly Resource[];
}

export function savedKind<Members extends z.ZodRawShape>(kind: SavedKind<Members>): Saved {
  const { noun, plural, members, required } = kind;
  const { owner: _owner, ...own } = members;
  const count = z.int().meta({ description: `Counts the changes of the ${noun}` });
  const mask = Object.fromEntries(required.map((name) => [name, true] as const));
  const create = z
    .strictObject({
      name: savedName,
      ...z
        .object(own)
        .partial()
        .required(mask as never).shape,
    })
    .meta({ title: `New${kind.title}` }) as z.ZodType<{ name: string }>;
  const change = z
    .strictObject({
      ...z.object(members).partial().shape,
      version: count.optional().meta({ description: "The version that was read: 409 if it has changed since" }),
    })
    .meta({ title: `${kind.title}Change` }) as z.ZodType<object>;
  const resources = collectionResources({
    path: `/${plural}`,
    noun,
    name: savedName,
    description: kind.description,
    shown: z
      .object({
        name: savedName,
        ...members,
        ...kind.answered,
        version: count,
        may_change: z.boolean().meta({ description: "Whether the caller may change it" }),
      })
      .meta({ title: kind.title }),
    create,
    change,
    oneForOne: true,

    list: (caller, names) => rowsOf(caller, `portolan.list_${plural}($1::text[])`, [names]),

    async add(caller, items) {
      await caller.transact((transaction) =>
        transaction.query({
          text: "select portolan.create_saved($1, item) from jsonb_array_elements($2::jsonb) item",
          values: [noun, JSON.stringify(items)],
        }),
      );
      return items.map(({ name }) => ({ name }));
    },

    async update(caller, names, changes) {
      await caller.transact((transaction) =>
        transaction.query({
          text: "select portolan.update_saved($1, name, $3::jsonb) from unnest($2::text[]) name",
          values: [noun, names, JSON.stringify(changes)],
        }),
      );
    },

    async remove(caller, names) {
      await caller.transact((transaction) =>
        transaction.query({
          text: "select portolan.drop_saved($1, name) from unnest($2::text[]) name",
          values: [noun, names],
        }),
      );
    },
  });
  return { create, change, resources: [...resources, ...versionResources(kind)] };
}

const version = z
  .object({
    version: z.int(),
    saved_at: z.string().nullable().meta({ description: "null: saved before versions were kept" }),
    saved_by: z.string().nullable(),
    item: z.record(z.string(), z.unknown()).meta({ description: "Its members in that version, without `shared`" }),
  })
  .meta({ title: "SavedVersion" });

const chosenVersion = z.strictObject({ version: z.int().min(1) }).meta({ title: "ChosenVersion" });

function versionResources({ noun, plural }: Pick<SavedKind<z.ZodRawShape>, "noun" | "plural">): readonly Resource[] {
  const parameters = { name: `The name of the ${noun}` };
  return [
    {
      path: `/${plural}/{name}/versions`,
      tag: plural,
      parameters,
      operations: {
        GET: {
          id: `list_${noun}_versions`,
          summary: `The last 50 versions of a ${noun}, the latest first`,
          description: "For its owner and super users.",
          status: 200,
          shown: z.array(version),
          run: async (caller, { name = "" }) => ({
            status: 200,
            body: await rowsOf(caller, "portolan.list_saved_versions($1, $2)", [noun, name]),
          }),
        },
      },
    },
    {
      path: `/${plural}/{name}/restore`,
      tag: plural,
      parameters,
      operations: {
        POST: taking(chosenVersion, {
          id: `restore_${noun}`,
          summary: `Restore a ${noun} as it was in one of its versions`,
          description:
            "For its owner and super users. The owner and the accounts that it is shared with do not change.",
          status: 303,
          async run(caller, { name = "" }, { version: chosen }) {
            await caller.transact((transaction) =>
              transaction.query({ text: "select portolan.restore_saved($1, $2, $3)", values: [noun, name, chosen] }),
            );
            const path = `/${plural}/${encodeURIComponent(name)}`;
            return { status: 303, location: path, items: [{ path }] };
          },
        }),
      },
    },
  ];
}
