import { OperatorError } from "../ground/errors.ts";

/** The text of an option that must be a JSON object, `{}` where it was left out. Throws `OperatorError`. */
export function parseObject(option: string, text: string | undefined): string {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  } catch {
    // reported below
  }
  throw new OperatorError(`${option}: must be a JSON object`);
}
