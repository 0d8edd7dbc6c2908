/** Reads from a statement which commands it needs to be granted on a table. */
import { loadModule } from "libpg-query";
import { membersOf, treeOf, type Node } from "./parseTree.ts";

export const COMMANDS = ["select", "insert", "update", "delete"] as const;
export type Command = (typeof COMMANDS)[number];

const WRITES: Readonly<Record<string, Command>> = {
  InsertStmt: "insert",
  UpdateStmt: "update",
  DeleteStmt: "delete",
};
/** A write that has one of these reads the rows of its table, too. */
const READING = ["whereClause", "returningList", "fromClause", "usingClause", "onConflictClause"];

// `askedCommands` is not asked before a statement was refused, and finds nothing until the parser is loaded
void loadModule();

/** Those on the table of this name, whatever its schema. None where the text cannot be read, or does not name the table. */
export function askedCommands(text: string, table: string): readonly Command[] {
  const found = new Set<Command>();
  const isTable = (node: unknown): boolean => (node as Node | undefined)?.["relname"] === table;
  for (const [kind, node] of membersOf(treeOf(text))) {
    if (kind === "RangeVar" && isTable(node)) found.add("select");
    if (kind === "SelectStmt" && node["lockingClause"] && names(node["fromClause"], isTable)) found.add("update");
    if (!isTable(node["relation"])) continue;
    const write = WRITES[kind];
    if (write) found.add(write);
    if (kind === "MergeStmt") for (const command of mergedBy(node)) found.add(command);
    const isRead = READING.some((member) => node[member] !== undefined) || (kind === "UpdateStmt" && hasColumn(node));
    if (kind === "MergeStmt" || (write && isRead)) found.add("select");
    const conflict = node["onConflictClause"] as Node | undefined;
    if (conflict?.["action"] === "ONCONFLICT_UPDATE") found.add("update");
  }
  return COMMANDS.filter((command) => found.has(command));
}

function mergedBy(node: Node): readonly Command[] {
  const clauses = (node["mergeWhenClauses"] ?? []) as readonly { MergeWhenClause: Node }[];
  const types = new Set(clauses.map(({ MergeWhenClause: clause }) => clause["commandType"]));
  return COMMANDS.filter((command) => types.has(`CMD_${command.toUpperCase()}`));
}

function names(from: unknown, isTable: (node: unknown) => boolean): boolean {
  return [...membersOf(from)].some(([kind, node]) => kind === "RangeVar" && isTable(node));
}

/** Whether a column has its new value from another one. */
function hasColumn(node: Node): boolean {
  return [...membersOf(node["targetList"])].some(([kind]) => kind === "ColumnRef");
}
