import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { parametersIn } from "../../service/sql/parameters.ts";

/** Completes the statement's existing parameters after a colon. */
export function completeParameters(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/(?<![:\w]):\w*/);
  if (!word) return null;
  const others = context.state.sliceDoc(0, word.from) + context.state.sliceDoc(word.to);
  const options = parametersIn(others).map((label) => ({ label, type: "variable" }));
  return { from: word.from + 1, options, validFor: /^\w*$/ };
}
