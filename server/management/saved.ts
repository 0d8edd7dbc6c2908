/**
 * Saved maps, queries, dashboards and views, over REST. Row security of each table decides who sees and changes what.
 * `portolan.saved_kinds` lists the same kinds in SQL.
 */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import type { Resource } from "../kernel/rest/resource.ts";
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
  const version = z.int().meta({ description: `Counts the changes of the ${noun}` });
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
      version: version.optional().meta({ description: "The version that was read: 409 where it is another by now" }),
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
        version,
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
  return { create, change, resources };
}
