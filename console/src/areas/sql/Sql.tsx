/** SQL under the account's own rights: tabs of statements, and the objects that it may use at the side. */
import { useRef, useState, type KeyboardEvent } from "react";
import { Plus, X } from "lucide-react";
import type { Insertion } from "../../ui/code/Editor.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Side } from "../../ui/shell/Side.tsx";
import { ObjectTree } from "./ObjectTree.tsx";
import { StatementTab } from "./StatementTab.tsx";
import { useHistory } from "./useHistory.ts";
import { MOST_TABS, useTabs, type Tabs } from "./useTabs.ts";
import { t } from "../../words/words.ts";

/** The texts are kept for this account only, so the next account that signs in to this browser does not see them. */
export function Sql() {
  const { data: account } = useAccount();
  if (!account) return null;
  const owner = JSON.stringify([account.database, account.sub]);
  return <Workbench key={owner} owner={owner} />;
}

function Workbench({ owner }: { readonly owner: string }) {
  const tabs = useTabs(owner);
  const [ran, noteRun] = useHistory(owner);
  const [insertion, setInsertion] = useState<Insertion & { readonly tab: number }>();
  return (
    <div className="sided">
      <Side label={t("Objects")} noun={t("an object")} isChosen>
        <ObjectTree onChoose={(text) => setInsertion({ text, tab: tabs.active })} />
      </Side>
      <section className="content workbench sql" aria-label="SQL" tabIndex={-1}>
        <h1 className="hidden">SQL</h1>
        <TabBar tabs={tabs} />
        {tabs.opened.map(({ id, text }) => (
          <div
            key={id}
            role="tabpanel"
            id={`panel-${id}`}
            aria-labelledby={`tab-${id}`}
            className="statements"
            hidden={id !== tabs.active}
          >
            <StatementTab
              text={text}
              onChange={(changed) => tabs.change(id, { text: changed })}
              onName={(name) => tabs.change(id, { name })}
              ran={ran}
              onRun={noteRun}
              insertion={id === insertion?.tab ? insertion : undefined}
            />
          </div>
        ))}
      </section>
    </div>
  );
}

/** The tabs. The arrow keys move between them. */
function TabBar({ tabs }: { readonly tabs: Tabs }) {
  const { all, active } = tabs;
  const list = useRef<HTMLDivElement>(null);
  const at = all.findIndex(({ id }) => id === active);

  function go({ key }: KeyboardEvent): void {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[key];
    const next = to === undefined ? undefined : all.at(to % all.length);
    if (!next) return;
    tabs.choose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  }

  return (
    <div className="tab-bar">
      <div role="tablist" aria-label={t("Tabs")} ref={list} onKeyDown={go}>
        {all.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === active}
            aria-controls={`panel-${id}`}
            tabIndex={id === active ? 0 : -1}
            onClick={() => tabs.choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {all.length > 1 && (
        <button
          type="button"
          className="plain"
          aria-label={t("Close {name}", { name: all[at]!.name })}
          onClick={() => tabs.close(active)}
        >
          <Icon of={X} size={16} />
        </button>
      )}
      {all.length < MOST_TABS && (
        <button type="button" className="plain" aria-label={t("New tab")} onClick={() => tabs.add()}>
          <Icon of={Plus} size={16} />
        </button>
      )}
    </div>
  );
}
