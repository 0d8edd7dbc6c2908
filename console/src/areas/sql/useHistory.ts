import { useState } from "react";
import { useKept } from "../../ui/hooks/useKept.ts";

/** The last statements that are remembered, and the longest of them, in characters. */
const MOST = 50;
const LONGEST = 20_000;

/** What this account has run in this browser, the latest first, each once; and what notes another. */
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
