/** Accounts, clients, rules and privileges, as the service shows them to super users. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type {
  User,
  Client,
  TableCodeOwners,
  TablePrivilege,
  TableColumnPrivilege as ColumnPrivilege,
  AccessAnswer as Explanation,
  AccessQuestion,
  Rule as SavedRule,
} from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";
import { tablesOf } from "./tables/tables.ts";

export type { User, Client, TableCodeOwners, TablePrivilege, ColumnPrivilege, Explanation };

export type Level = TablePrivilege["privilege"] | "none";
export type RuleAccess = SavedRule["access"];
export type Reason = Explanation["grants"][number];
export type Question = Omit<AccessQuestion, "rules">;

export interface Rule extends Omit<SavedRule, "id"> {
  /** Undefined for an unsaved rule. */
  readonly id?: number;
}

export const SERVICES = ["graphql", "sql", "events", "ogc", "ows", "wfst", "mcp"] as const;

export function useUsers(enabled = true) {
  return useQuery({ queryKey: ["users"], queryFn: ({ signal }) => answer(rest.GET("/users", { signal })), enabled });
}

/** So many accounts come at once. */
const PAGE = 100;

/** The accounts whose name or e-mail contains a text, page by page. */
export function useUserPages(q: string) {
  return useInfiniteQuery({
    queryKey: ["users", "pages", q],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: String(PAGE), ...(q !== "" && { q }), ...(pageParam !== "" && { after: pageParam }) };
      return answer(rest.GET("/users", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.name),
    placeholderData: keepPreviousData,
  });
}

export function userPath(name: string): string {
  return `/users/${encodeURIComponent(name)}`;
}

export function useUser(name: string) {
  return useQuery({
    queryKey: ["users", name],
    queryFn: ({ signal }) =>
      answer(rest.GET("/users/{names}", { params: { path: { names: name } }, signal })) as Promise<User>,
    enabled: name !== "",
  });
}

export function useClients() {
  return useQuery({ queryKey: ["clients"], queryFn: ({ signal }) => answer(rest.GET("/clients", { signal })) });
}

/** The tokens with which clients may still register themselves. */
export function useRegistrationTokens() {
  return useQuery({
    queryKey: ["registration-tokens"],
    queryFn: ({ signal }) => answer(rest.GET("/registration-tokens", { signal })),
  });
}

/**
 * Whether the service itself signs in with the client, so that the database keeps it: `portolan.is_built_in_client`.
 */
export function isBuiltIn({ id }: Client): boolean {
  return id === "portolan-console" || id === "portolan-cli";
}

export function useRules() {
  return useQuery({ queryKey: ["rules"], queryFn: ({ signal }) => answer(rest.GET("/rules", { signal })) });
}

export function usePrivileges(schema: string) {
  return useQuery({
    queryKey: ["privileges", schema],
    queryFn: ({ signal }) => answer(rest.GET("/schemas/{schema}/privileges", { params: { path: { schema } }, signal })),
  });
}

/** `none` also takes the privileges on single columns. */
export async function setPrivilege(
  table: { readonly schema: string; readonly table: string },
  subuser: string,
  privilege: Level,
): Promise<void> {
  await rest.PATCH("/schemas/{schema}/tables/{table}/privileges", {
    params: { path: table },
    body: [{ subuser, privilege }],
  });
}

/** The privileges on single columns of the tables of a schema. */
export function useColumnPrivileges(schema: string) {
  return useQuery({
    queryKey: ["column privileges", schema],
    queryFn: ({ signal }) =>
      answer(rest.GET("/schemas/{schema}/column-privileges", { params: { path: { schema } }, signal })),
  });
}

/** The tables of a schema that run code of untrusted roles, by name. */
export function useCodeOwners(schema: string) {
  return useQuery({
    queryKey: ["code-owners", schema],
    queryFn: ({ signal }) =>
      answer(rest.GET("/schemas/{schema}/code-owners", { params: { path: { schema } }, signal })),
    select: (tables) => new Map(tables.map((each) => [each.table, each])),
  });
}

/** The names of the tables of a schema. */
export function useTables(schema: string) {
  return useQuery({ ...tablesOf(schema), select: (tables) => tables.map(({ name }) => name) });
}

/** `rules`: all rules to assume. Default: the present ones. */
export function explain(question: Question, rules?: readonly Rule[]): Promise<Explanation> {
  return answer(rest.POST("/access/explain", { body: { ...question, ...(rules && { rules: [...rules] }) } }));
}

/** Saves all rules at once. Rules that are missing in the list are removed. */
export async function saveRules(rules: readonly Rule[]): Promise<void> {
  let last = Math.max(0, ...rules.map(({ id = 0 }) => id));
  const named = Object.fromEntries(rules.map(({ id, ...members }) => [String(id ?? ++last), members]));
  await rest.POST("/configuration", { params: { query: { prune: "true", dry: "false" } }, body: { rules: named } });
}

/** The name of a relation or type in SQL. */
export function qualifiedName(schema: string, name: string): string {
  return [schema, name].map((each) => `"${each.replaceAll('"', '""')}"`).join(".");
}

/**
 * Rules in this order. If their priorities contradict it, they get 10, 20, 30 and so on. An unsaved rule comes after
 * all others of its priority.
 */
export function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const isBehind = (rule: Rule, before: Rule | undefined): boolean =>
    !before ||
    rule.priority > before.priority ||
    (rule.priority === before.priority && (rule.id ?? Infinity) >= (before.id ?? Infinity));
  if (rules.every((rule, index) => isBehind(rule, rules[index - 1]))) return rules;
  return rules.map((rule, index) => ({ ...rule, priority: (index + 1) * 10 }));
}
