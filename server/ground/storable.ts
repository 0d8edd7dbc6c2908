/** For `JSON.stringify`: text that PostgreSQL can store in JSON. Callers may send NUL, and half a surrogate pair. */
export function storable<T>(_name: string, value: T): T | string {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;
}
