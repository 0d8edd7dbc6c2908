/** One dashboard: its panels, and the tools for those who may change it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  dashboards,
  savedDashboards,
  type Dashboard,
  type DashboardChange,
  type DashboardPanel,
} from "../../service/dashboards.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { Panel } from "./Panel.tsx";
import { PanelDialog } from "./PanelDialog.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { t } from "../../words/words.ts";

export function DashboardPage({ name }: { readonly name: string }) {
  const { data, error } = useQuery(dashboards);
  const dashboard = data?.find((each) => each.name === name);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <p className="empty">{t("One moment …")}</p>;
  if (!dashboard)
    return <p className="empty">{t("There is no dashboard {name}, or it is not shared with you.", { name })}</p>;
  return <Panels dashboard={dashboard} />;
}

/** The open dialog: the place of the panel that is changed, `new` for a panel at the end, or another one. */
type Open = number | "new" | "settings" | "remove";

function Panels({ dashboard }: { readonly dashboard: Dashboard }) {
  const { name, title, panels, may_change: mayChange } = dashboard;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { error, run, clear } = useAttempt();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);

  async function change(changes: DashboardChange): Promise<void> {
    await savedDashboards.change(dashboard, changes);
    await client.invalidateQueries({ queryKey: dashboards.queryKey });
  }

  async function remove(): Promise<void> {
    await savedDashboards.remove(dashboard);
    await navigate({ to: "/dashboards" });
    await client.invalidateQueries({ queryKey: dashboards.queryKey });
  }

  const put = (place: number, ...by: readonly DashboardPanel[]): Promise<void> =>
    change({ panels: panels.toSpliced(place, 1, ...by) });
  const swap = (place: number): Promise<void> =>
    change({ panels: panels.toSpliced(place, 2, panels[place + 1]!, panels[place]!) });

  return (
    <section className="dashboard" aria-label={title ?? name}>
      <Head dashboard={dashboard} onOpen={setOpen} />
      <ErrorNote error={error} onClose={clear} />
      {panels.length === 0 && (
        <p className="empty">
          {mayChange ? t("Add a panel: a number, a chart or a table of a statement.") : t("Nothing is on it yet.")}
        </p>
      )}
      <div className="panels">
        {panels.map((panel, place) => (
          <Panel
            key={`${place} ${panel.q}`}
            panel={panel}
            tools={
              mayChange && (
                <PanelTools
                  onChange={() => setOpen(place)}
                  onEarlier={place > 0 ? () => void run(() => swap(place - 1)) : undefined}
                  onRemove={() => void run(() => put(place))}
                />
              )
            }
          />
        ))}
      </div>
      {(open === "new" || typeof open === "number") && (
        <PanelDialog
          panel={typeof open === "number" ? panels[open] : undefined}
          onSave={(panel) => put(typeof open === "number" ? open : panels.length, panel)}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <FormDialog
          title={t("Remove {title}", { title: title ?? name })}
          action={t("Remove")}
          isDanger
          onSubmit={remove}
          onClose={close}
        >
          <p>{t("It goes for everybody with whom it is shared. The data stay.")}</p>
        </FormDialog>
      )}
      {open === "settings" && <SettingsDialog dashboard={dashboard} onSave={change} onClose={close} />}
    </section>
  );
}

interface HeadProps {
  readonly dashboard: Dashboard;
  readonly onOpen: (open: Open) => void;
}

function Head({ dashboard, onOpen }: HeadProps) {
  const { name, title, may_change: mayChange, owner } = dashboard;
  const client = useQueryClient();
  return (
    <div className="head">
      <h1>{title ?? name}</h1>
      {!mayChange && <span className="quiet">{t("of {owner}", { owner: owner ?? t("the operator") })}</span>}
      <span className="tools">
        {mayChange && (
          <>
            <button type="button" className="primary" onClick={() => onOpen("new")}>
              {t("Add a panel")}
            </button>
            <button type="button" onClick={() => onOpen("settings")}>
              {t("Title and sharing")}
            </button>
          </>
        )}
        <button type="button" onClick={() => void client.invalidateQueries({ queryKey: ["panel"] })}>
          {t("Reload")}
        </button>
        {mayChange && (
          <button type="button" className="plain" onClick={() => onOpen("remove")}>
            {t("Remove")}
          </button>
        )}
      </span>
    </div>
  );
}

interface PanelToolsProps {
  readonly onChange: () => void;
  /** Undefined for the first panel. */
  readonly onEarlier: (() => void) | undefined;
  readonly onRemove: () => void;
}

function PanelTools({ onChange, onEarlier, onRemove }: PanelToolsProps) {
  return (
    <>
      <button type="button" className="plain" onClick={onChange}>
        {t("Change")}
      </button>
      {onEarlier && (
        <button type="button" className="plain" onClick={onEarlier}>
          {t("Move earlier")}
        </button>
      )}
      <button type="button" className="plain" onClick={onRemove}>
        {t("Remove")}
      </button>
    </>
  );
}
