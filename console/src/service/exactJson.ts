/** JSON whose whole numbers that JavaScript cannot hold stay as they were sent, as texts. */
export function parseExact<T>(text: string): T {
  return JSON.parse(text, ((_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source && /^-?\d+$/.test(context.source)
      ? context.source
      : value) as (this: unknown, key: string, value: unknown) => unknown) as T;
}
