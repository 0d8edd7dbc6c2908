import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { parametersIn } from "../../service/sql/parameters.ts";

/** After a colon, the parameters that the statement has already. */
export function completeParameters(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/(?<![:\w]):\w*/);
  if (!word) return null;
  const others = context.state.sliceDoc(0, word.from) + context.state.sliceDoc(word.to);
  const options = parametersIn(others).map((label) => ({ label, type: "variable" }));
  return { from: word.from + 1, options, validFor: /^\w*$/ };
}
