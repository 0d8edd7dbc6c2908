/** One dashboard: its panels, and the tools for those who may change it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Pencil, Trash2, type LucideIcon } from "lucide-react";
import { useState } from "react";
import {
  dashboards,
  savedDashboards,
  type Dashboard,
  type DashboardChange,
  type DashboardPanel,
} from "../../service/dashboards.ts";
import { Icon } from "../../ui/Icon.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { VersionsDialog } from "../../ui/forms/VersionsDialog.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { SavedConflict } from "../../ui/forms/SavedConflict.tsx";
import { Panel } from "./Panel.tsx";
import { PanelDialog } from "./PanelDialog.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { plural, t } from "../../words/words.ts";

export function DashboardPage({ name }: { readonly name: string }) {
  const { data, error } = useQuery(dashboards);
  const dashboard = data?.find((each) => each.name === name);
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <p className="empty">{t("One moment …")}</p>;
  if (!dashboard) return <NotFound what={t("There is no dashboard {name}, or it is not shared with you.", { name })} />;
  return (
    <>
      <ErrorNote error={error} />
      <Panels dashboard={dashboard} />
    </>
  );
}

/** The open dialog: the place of the panel that is changed, `new` for a panel at the end, or another one. */
type Open = number | "new" | "settings" | "versions" | "remove";

/** What changes a dashboard, and the error of the change that was made last beside a dialog. */
function useChanges(dashboard: Dashboard) {
  const client = useQueryClient();
  const { error, run, clear } = useAttempt();
  const [last, setLast] = useState<DashboardChange>();

  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: dashboards.queryKey });

  async function change(changes: DashboardChange, write = savedDashboards.change): Promise<void> {
    await write(dashboard, changes);
    await readAgain();
  }

  function attempt(changes: DashboardChange, write = savedDashboards.change): Promise<boolean> {
    setLast(changes);
    return run(() => change(changes, write));
  }

  const choice = last && {
    onOver: () => void attempt(last, savedDashboards.overwrite),
    onTheirs: () => void readAgain().then(clear),
  };
  return { readAgain, change, attempt, note: <SavedConflict error={error} choice={choice} onClose={clear} /> };
}

function Panels({ dashboard }: { readonly dashboard: Dashboard }) {
  const { name, title, panels, may_change: mayChange } = dashboard;
  const navigate = useNavigate();
  const { readAgain, change, attempt, note } = useChanges(dashboard);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);

  async function remove(): Promise<void> {
    await savedDashboards.remove(dashboard);
    await navigate({ to: "/dashboards" });
    await readAgain();
  }

  const withPanel = (place: number, ...by: readonly DashboardPanel[]): DashboardChange => ({
    panels: panels.toSpliced(place, 1, ...by),
  });
  const swapped = (place: number): DashboardChange => ({
    panels: panels.toSpliced(place, 2, panels[place + 1]!, panels[place]!),
  });
  const written = (panel: DashboardPanel): DashboardChange =>
    withPanel(typeof open === "number" ? open : panels.length, panel);

  return (
    <section className="dashboard" aria-label={title ?? name}>
      <Head dashboard={dashboard} onOpen={setOpen} />
      {note}
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
                  onEarlier={place > 0 ? () => void attempt(swapped(place - 1)) : undefined}
                  onRemove={() => void attempt(withPanel(place))}
                />
              )
            }
          />
        ))}
      </div>
      {(open === "new" || typeof open === "number") && (
        <PanelDialog
          panel={typeof open === "number" ? panels[open] : undefined}
          onSave={(panel) => change(written(panel))}
          onOver={(panel) => change(written(panel), savedDashboards.overwrite)}
          onTheirs={readAgain}
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
          <p>{t("It is removed for everybody it is shared with. The data stay.")}</p>
        </FormDialog>
      )}
      {open === "versions" && <PanelVersions dashboard={dashboard} onRestored={readAgain} onClose={close} />}
      {open === "settings" && (
        <SettingsDialog
          dashboard={dashboard}
          onSave={change}
          onOver={(changes) => change(changes, savedDashboards.overwrite)}
          onTheirs={readAgain}
          onClose={close}
        />
      )}
    </section>
  );
}

interface PanelVersionsProps {
  readonly dashboard: Dashboard;
  readonly onRestored: () => Promise<void>;
  readonly onClose: () => void;
}

function PanelVersions({ dashboard, onRestored, onClose }: PanelVersionsProps) {
  return (
    <VersionsDialog
      kind="dashboards"
      thing={dashboard}
      summaryOf={({ panels }) => plural((panels as readonly unknown[]).length, "{count} panel", "{count} panels")}
      onRestored={onRestored}
      onClose={onClose}
    />
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
            <button type="button" onClick={() => onOpen("versions")}>
              {t("Versions")}
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

interface PanelToolProps {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
}

function PanelTool({ name, icon, onClick }: PanelToolProps) {
  return (
    <button type="button" className="plain" aria-label={name} title={name} onClick={onClick}>
      <Icon of={icon} size={16} />
    </button>
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
      <PanelTool name={t("Change")} icon={Pencil} onClick={onChange} />
      {onEarlier && <PanelTool name={t("Move earlier")} icon={ArrowLeft} onClick={onEarlier} />}
      <PanelTool name={t("Remove")} icon={Trash2} onClick={onRemove} />
    </>
  );
}
