import { useQuery } from "@tanstack/react-query";
import { describe, toColumn, type Types } from "../../service/methods.ts";
import { parametersIn } from "../../service/sql/parameters.ts";
import type { Column } from "../../service/rows/relations.ts";
import { statementsIn } from "../../service/sql/statements.ts";
import { useSettled } from "../../ui/hooks/useSettled.ts";

/** The pause after typing before the parameters are looked up, in ms. */
const PAUSE = 400;
/** The type of a parameter in an incomplete statement, or in one on a table that another statement makes. */
const UNKNOWN = { type: "text", array: false, typescript: "string" };

/** The parameters of a text as columns, with the types that PostgreSQL infers. Nothing is run. */
export function useParameters(text: string): readonly Column[] {
  const settled = useSettled(text, PAUSE);
  const names = parametersIn(settled);
  const { data: types } = useQuery({
    queryKey: ["statement types", settled],
    queryFn: ({ signal }) => typesIn(settled, signal),
    enabled: names.length > 0,
    placeholderData: (before) => before,
  });
  return types ? names.map((name) => toColumn(name, types[name] ?? UNKNOWN)) : [];
}

async function typesIn(text: string, signal: AbortSignal): Promise<Types> {
  let types: Types = {};
  for (const { text: q } of statementsIn(text)) {
    if (parametersIn(q).length === 0) continue;
    const found = await describe("statement", { q }, signal).catch(() => undefined);
    types = { ...found?.input_schema, ...types };
  }
  return types;
}
