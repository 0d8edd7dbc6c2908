/**
 * Documents in tabs, and the history of runs. They are kept for one account of one database, beyond the closing of the
 * window.
 */
import { useState } from "react";
import { useKept } from "../../ui/hooks/useKept.ts";
import type { Beginning } from "./offered.ts";

export interface Document extends Beginning {
  readonly id: number;
  /** Incremented when the text changes other than by typing, so that the editor restarts with it. */
  readonly begun: number;
}

interface Kept {
  readonly documents: readonly Document[];
  /** The id of the open document. */
  readonly open: number;
}

const BLANK: Kept = { documents: [{ id: 1, begun: 0, text: "", variables: "" }], open: 1 };

export interface Documents extends Kept {
  readonly current: Document;
  show(id: number): void;
  change(part: Partial<Beginning>): void;
  /** Opens it in a new tab, or in the open one if that is empty. */
  begin(beginning: Beginning): void;
  close(): void;
}

export function useDocuments(name: string): Documents {
  const [text, keepText] = useKept(`graphql:${name}`, "", localStorage);
  const [{ documents, open }, set] = useState(() => readKept(text));
  const current = documents.find(({ id }) => id === open) ?? documents[0]!;

  function become(next: Kept): void {
    set(next);
    keepText(JSON.stringify(next));
  }
  const replaced = (next: Document): readonly Document[] =>
    documents.map((each) => (each.id === current.id ? next : each));

  return {
    documents,
    open,
    current,
    show: (id) => become({ documents, open: id }),
    change: (part) => become({ documents: replaced({ ...current, ...part }), open: current.id }),
    begin(beginning) {
      if (current.text.trim() === "")
        return become({
          documents: replaced({ ...current, ...beginning, begun: current.begun + 1 }),
          open: current.id,
        });
      const id = Math.max(...documents.map((each) => each.id)) + 1;
      become({ documents: [...documents, { ...beginning, id, begun: 0 }], open: id });
    },
    close() {
      const at = documents.indexOf(current);
      const others = documents.filter((each) => each !== current);
      become(others.length === 0 ? BLANK : { documents: others, open: others[Math.max(0, at - 1)]!.id });
    },
  };
}

function readKept(text: string): Kept {
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    if (kept?.documents?.length && kept.open !== undefined) return kept as Kept;
  } catch {
    // nothing was kept
  }
  return BLANK;
}

/** A finished run. */
export interface Run extends Beginning {
  /** The instant, as a date in JSON. */
  readonly at: string;
  readonly name: string;
  readonly ms: number;
  readonly isError: boolean;
}

const MOST_RUNS = 50;

/** The runs, newest first. */
export function useRuns(name: string): readonly [runs: readonly Run[], add: (run: Run) => void, clear: () => void] {
  const [text, keepText] = useKept(`graphql runs:${name}`, "[]", localStorage);
  const runs = JSON.parse(text) as readonly Run[];
  return [
    runs,
    (run) => keepText(JSON.stringify([run, ...runs.filter((each) => !isSame(each, run))].slice(0, MOST_RUNS))),
    () => keepText(undefined),
  ];
}

function isSame(one: Run, other: Run): boolean {
  return one.text === other.text && one.variables === other.variables;
}
