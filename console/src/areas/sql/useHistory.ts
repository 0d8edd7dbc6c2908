import { useState } from "react";
import { useKept } from "../../ui/hooks/useKept.ts";

/** The number of statements that are remembered, and the length of the longest, in characters. */
const MOST = 50;
const LONGEST = 20_000;

/**
 * The statements that this account has run in this browser, the latest first, each once, and the function that adds
 * one.
 */
export function useHistory(owner: string): readonly [ran: readonly string[], note: (text: string) => void] {
  const [kept, keep] = useKept(`ran:${owner}`, "[]", localStorage);
  const [ran, setRan] = useState<readonly string[]>(() => JSON.parse(kept) as string[]);
  function note(text: string): void {
    if (text.length > LONGEST) return;
    const next = [text, ...ran.filter((each) => each !== text)].slice(0, MOST);
    setRan(next);
    keep(JSON.stringify(next));
  }
  return [ran, note];
}
