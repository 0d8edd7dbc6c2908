/** Accounts, clients, rules and privileges, as the interfaces tell them to super users. */
import { useQuery } from "@tanstack/react-query";
import { read, send } from "./rest.ts";
import { tablesOf } from "./tables.ts";

export interface User {
  readonly name: string;
  readonly email: string | null;
  readonly user_group: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly superuser: boolean;
  readonly last_sign_in: string | null;
  /** Until when failures to sign in have it wait; null: it need not. */
  readonly locked_until: string | null;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirect_uri: readonly string[];
  readonly public: boolean;
  readonly grants: readonly string[];
}

export type RuleAccess = "allow" | "limit" | "deny";

export interface Rule {
  /** Undefined while it is not saved. */
  readonly id?: number;
  readonly priority: number;
  readonly username: string;
  readonly service: string;
  readonly request: string;
  readonly schema: string;
  readonly table: string;
  readonly iprange: string;
  readonly access: RuleAccess;
  readonly filter: string | null;
}

export type Level = "none" | "read" | "write" | "all";

export interface TablePrivilege {
  readonly table: string;
  readonly subuser: string;
  readonly privilege: Level;
}

export interface Reason {
  readonly name: string;
  readonly applies: string;
  readonly meaning: string;
}

export interface Explanation {
  readonly account: string;
  readonly grants: readonly Reason[];
  readonly rules: readonly Reason[];
  readonly policies: readonly Reason[];
  readonly others: readonly (Reason & { readonly subject: string })[];
  readonly decisions: readonly {
    readonly request: string;
    readonly granted: boolean;
    readonly access: RuleAccess;
    readonly rule: number | null;
  }[];
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly keys: readonly Readonly<Record<string, unknown>>[] | null;
}

export interface Question {
  readonly account: string;
  /** As SQL writes it. */
  readonly relation: string;
  readonly service: string;
  readonly ip?: string;
}

export const SERVICES = ["graphql", "sql", "events", "ogc"] as const;

export function useUsers(enabled = true) {
  return useQuery({ queryKey: ["users"], queryFn: ({ signal }) => read<readonly User[]>("/users", signal), enabled });
}

export function userPath(name: string): string {
  return `/users/${encodeURIComponent(name)}`;
}

export function useUser(name: string) {
  return useQuery({
    queryKey: ["users", name],
    queryFn: ({ signal }) => read<User>(userPath(name), signal),
    enabled: name !== "",
  });
}

export function useClients() {
  return useQuery({ queryKey: ["clients"], queryFn: ({ signal }) => read<readonly Client[]>("/clients", signal) });
}

export function useRules() {
  return useQuery({ queryKey: ["rules"], queryFn: ({ signal }) => read<readonly Rule[]>("/rules", signal) });
}

export function usePrivileges(schema: string) {
  return useQuery({
    queryKey: ["privileges", schema],
    queryFn: ({ signal }) =>
      read<readonly TablePrivilege[]>(`/schemas/${encodeURIComponent(schema)}/privileges`, signal),
  });
}

/** The names of the tables of a schema. */
export function useTables(schema: string) {
  return useQuery({ ...tablesOf(schema), select: (tables) => tables.map(({ name }) => name) });
}

/** `rules`: all rules as they would be; default as they are. */
export function explain(question: Question, rules?: readonly Rule[]): Promise<Explanation> {
  return send("POST", "/access/explain", { ...question, ...(rules && { rules }) });
}

/** All at once: those that are not among them go. */
export async function saveRules(rules: readonly Rule[]): Promise<void> {
  let last = Math.max(0, ...rules.map(({ id = 0 }) => id));
  const named = Object.fromEntries(rules.map(({ id, ...members }) => [String(id ?? ++last), members]));
  await send("POST", "/configuration?prune=true&dry=false", { rules: named });
}

/** As SQL writes it. */
export function relationName(schema: string, table: string): string {
  return [schema, table].map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
}

/**
 * Rules in this order: where their priorities do not say so, they get 10, 20, 30 and so on. A rule that is not saved comes
 * after all others of its priority.
 */
export function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const isBehind = (rule: Rule, before: Rule | undefined): boolean =>
    !before ||
    rule.priority > before.priority ||
    (rule.priority === before.priority && (rule.id ?? Infinity) >= (before.id ?? Infinity));
  if (rules.every((rule, index) => isBehind(rule, rules[index - 1]))) return rules;
  return rules.map((rule, index) => ({ ...rule, priority: (index + 1) * 10 }));
}
