import { useEffect, useState } from "react";
import { useKept } from "../../ui/hooks/useKept.ts";
import { t } from "../../words/words.ts";

export const MOST_TABS = 12;

export interface Tab {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

export interface Tabs {
  readonly all: readonly Tab[];
  /** The tabs that have been shown. Each keeps its answer while the page is open. */
  readonly opened: readonly Tab[];
  readonly active: number;
  choose(id: number): void;
  change(id: number, change: Partial<Omit<Tab, "id">>): void;
  add(): void;
  close(id: number): void;
}

interface Kept {
  readonly active: number;
  readonly all: readonly Tab[];
}

interface State extends Kept {
  readonly shown: readonly number[];
}

/** The tabs of an account in this browser, with their texts. The last open one is open again. */
export function useTabs(owner: string): Tabs {
  const [kept, keep] = useKept(`sql tabs:${owner}`, "", localStorage);
  const [before] = useKept(`sql:${owner}`, "", localStorage); // a text from a console without tabs
  const [state, setState] = useState<State>(() => {
    const begun = kept === "" ? { active: 1, all: [newTab(1, before)] } : (JSON.parse(kept) as Kept);
    return { ...begun, shown: [begun.active] };
  });
  const { active, all } = state;
  useEffect(() => keep(JSON.stringify({ active, all })), [active, all]);

  return {
    ...state,
    opened: all.filter(({ id }) => state.shown.includes(id)),
    choose: (id) => setState((now) => shownAt(now, id)),
    change: (id, change) =>
      setState((now) => ({ ...now, all: now.all.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)) })),
    add: () =>
      setState((now) => {
        const id = Math.max(...now.all.map((tab) => tab.id)) + 1;
        return shownAt({ ...now, all: [...now.all, newTab(id)] }, id);
      }),
    close: (id) =>
      setState((now) => {
        const at = now.all.findIndex((tab) => tab.id === id);
        const left = now.all.filter((tab) => tab.id !== id);
        return shownAt({ ...now, all: left }, (left[at] ?? left.at(-1)!).id);
      }),
  };
}

function shownAt(state: State, active: number): State {
  return { ...state, active, shown: state.shown.includes(active) ? state.shown : [...state.shown, active] };
}

function newTab(id: number, text = ""): Tab {
  return { id, name: t("Query {id}", { id }), text };
}
