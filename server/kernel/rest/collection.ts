/** A collection of named things, e.g. accounts: `/users` and `/users/{names}`, several names by commas. */
import { z } from "zod";
import { GatewayError } from "../../ground/errors.ts";
import { notesOnIgnored, withoutIgnored } from "../http/ignoredMembers.ts";
import {
  taking,
  takingSeveral,
  type Caller,
  type Linked,
  type Operation,
  type Parameters,
  type Resource,
} from "./resource.ts";

export interface Collection<Create, Change> {
  /** Below `/api/v4`, e.g. `/users`. */
  readonly path: `/${string}`;
  /** The word for one, e.g. `account`. */
  readonly noun: string;
  /** The schema of a name, in the path and in the body. */
  readonly name: z.ZodType<string>;
  /** The rights that operations need, for the documentation. */
  readonly description: string;
  readonly shown: z.ZodType;
  readonly create: z.ZodType<Create>;
  readonly change: z.ZodType<Change>;
  /** The members beside `_links` in the answer to a POST. */
  readonly created?: z.ZodType;
  /** A POST of one object, and not of a list, is answered by one object. */
  readonly oneForOne?: boolean;
  /** Members of other services that mean nothing here: `notes` beside `_links` says so, and they go no further. */
  readonly ignored?: readonly string[];
  /** The parameters of a GET of all. */
  readonly query?: Operation["query"];
  /** The items of these names, or all (null), filtered by `query`. Raises `NOT_FOUND` when one is unknown. */
  list(caller: Caller, names: readonly string[] | null, query: Parameters): Promise<readonly unknown[]>;
  /** Makes all or none. Returns their names and the members beside `_links`, in the order of `items`. */
  add(caller: Caller, items: readonly Create[]): Promise<readonly { name: string; members?: Linked["members"] }[]>;
  /** Changes all or none. */
  update(caller: Caller, names: readonly string[], change: Change): Promise<void>;
  /** Removes all or none. */
  remove(caller: Caller, names: readonly string[]): Promise<void>;
}

export function collectionResources<Create, Change>(collection: Collection<Create, Change>): readonly Resource[] {
  return [wholeOf(collection), namedOf(collection)];
}

/** `/users`: lists all, and makes new ones. */
function wholeOf<Create, Change>(collection: Collection<Create, Change>): Resource {
  const { path, noun, description, shown, oneForOne = false, ignored = [] } = collection;
  const tag = path.slice(1);
  return {
    path,
    tag,
    parameters: {},
    operations: {
      GET: {
        id: `list_${tag}`,
        summary: `All ${noun}s`,
        description,
        status: 200,
        shown: z.array(shown),
        ...(collection.query && { query: collection.query }),
        run: async (caller, query) => ({ status: 200, body: await collection.list(caller, null, query) }),
      },
      POST: takingSeveral(collection.create, {
        id: `create_${tag}`,
        summary: `Make one ${noun}, or several: all or none`,
        description,
        status: 201,
        oneForOne,
        ...(collection.created && { shown: collection.created }),
        run: async (caller, _parameters, bodies) => {
          const added = await collection.add(
            caller,
            bodies.map((body) => withoutIgnored(body as object, ignored) as Create),
          );
          return {
            status: 201,
            location: pathOf(
              path,
              added.map(({ name }) => name),
            ),
            items: added.map(({ name, members }, n) => ({
              path: pathOf(path, [name]),
              members: { ...members, ...notesOnIgnored(bodies[n] as object, ignored) },
            })),
          };
        },
      }),
    },
  };
}

/** `/users/{names}`: those of these names. */
function namedOf<Create, Change>(collection: Collection<Create, Change>): Resource {
  const { path, noun, description, shown, ignored = [] } = collection;
  const tag = path.slice(1);
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1);
  return {
    path: `${path}/{names}`,
    tag,
    parameters: { names: `Name of one ${noun}, or names of several, joined by commas` },
    operations: {
      GET: {
        id: `get_${tag}`,
        summary: `${capital}s by name: one as an object, several as an array`,
        description,
        status: 200,
        shown: z.union([shown, z.array(shown)]),
        run: async (caller, parameters) => {
          const names = readNames(parameters["names"], collection);
          const items = await collection.list(caller, names, {});
          return { status: 200, body: names.length === 1 ? items[0] : items };
        },
      },
      PATCH: taking(collection.change, {
        id: `update_${tag}`,
        summary: `Change the members that are given, of all the named ${noun}s or of none`,
        description,
        status: 303,
        run: async (caller, parameters, change) => {
          const names = readNames(parameters["names"], collection);
          await collection.update(caller, names, withoutIgnored(change as object, ignored) as Change);
          const members = notesOnIgnored(change as object, ignored);
          const items = names.map((name) => ({ path: pathOf(path, [name]), members }));
          return { status: 303, location: pathOf(path, names), items };
        },
      }),
      DELETE: {
        id: `delete_${tag}`,
        summary: `Remove all the named ${noun}s or none`,
        description,
        status: 204,
        run: async (caller, parameters) => {
          await collection.remove(caller, readNames(parameters["names"], collection));
          return { status: 204 };
        },
      },
    },
  };
}

/** The names in a path segment, each once. Throws `NOT_FOUND` for what can be no name. */
export function readNames(segment = "", { name, noun }: Pick<Collection<never, never>, "name" | "noun">): string[] {
  const names = segment.split(",").map((text) => {
    const parsed = name.safeParse(text);
    if (!parsed.success) throw new GatewayError("NOT_FOUND", `There is no ${noun} ${JSON.stringify(text)}`);
    return parsed.data;
  });
  return [...new Set(names)];
}

/** The path below `/api/v4` of these. */
export function pathOf(path: string, names: readonly string[]): string {
  return `${path}/${names.map(encodeURIComponent).join(",")}`;
}
