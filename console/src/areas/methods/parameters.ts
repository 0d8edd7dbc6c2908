import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** After a colon, the parameters that the statement has already. */
export function completeParameters(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/(?<![:\w]):\w*/);
  if (!word) return null;
  const others = context.state.sliceDoc(0, word.from) + context.state.sliceDoc(word.to);
  const names = new Set([...others.matchAll(/(?<![:\w]):([A-Za-z_]\w*)/g)].map(([, name]) => name!));
  return { from: word.from + 1, options: [...names].map((label) => ({ label, type: "variable" })), validFor: /^\w*$/ };
}
