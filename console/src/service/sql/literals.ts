/** Literals of programming languages and shells. */

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A literal of Python. */
export function python(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${python(member)}`);
  return `{${members.join(", ")}}`;
}

/** A member's access in JavaScript, to write after the object. */
export function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A text literal of SQL. */
export function quoted(text: string): string {
  return `${text.includes("\\") ? "E" : ""}'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** A name in SQL, quoted where necessary. After a schema, no word is reserved. */
export function quotedName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
