/** The settings of a table for super users, and the roles in its workflow. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useUsers } from "../../service/access.ts";
import { isGoing, isOf, jobs } from "../../service/jobs.ts";
import type { Table } from "../../service/rows/relations.ts";
import { changeSetting, settingOf, type Settings, type TableName } from "../../service/tables/tableSettings.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { JobList } from "../../ui/lists/JobList.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ofService, t } from "../../words/words.ts";

type Name = keyof Settings;

interface Switch<Of extends Name = Name> {
  readonly name: Of;
  readonly title: string;
  readonly meaning: string;
  readonly isOn: (setting: Settings[Of]) => boolean;
  readonly to: (isOn: boolean) => Partial<Settings[Of]>;
}

const enabled = (name: "versioning" | "events" | "workflow", title: string, meaning: string): Switch<typeof name> => ({
  name,
  title,
  meaning,
  isOn: (setting) => setting.enabled,
  to: (isOn) => ({ enabled: isOn }),
});

const OF_TABLES = [
  enabled(
    "versioning",
    t("History"),
    t("every version of its rows is kept; recorded versions stay when it is switched off"),
  ),
  enabled("events", t("Events"), t("accounts that may read a row are told when it is written")),
  enabled(
    "workflow",
    t("Workflow"),
    t("rows are drafted, reviewed and published, and readers see those that are published"),
  ),
] as const;

const OPEN: Switch<"authentication"> = {
  name: "authentication",
  title: t("Open"),
  meaning: t("everybody may read it, also without signing in"),
  isOn: ({ level }) => level !== "Read/write",
  to: (isOn) => ({ level: isOn ? "Write" : "Read/write" }),
};

const ROLES = ["none", "author", "reviewer", "publisher"] as const;

export function TableSettings({ table: { schema, name, kind } }: { readonly table: Table }) {
  const table: TableName = { schema, table: name };
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const going = useQuery(jobs).data?.filter((job) => isOf(job, { schema, name }) && job.state !== "done") ?? [];
  const isGoingOn = going.some(isGoing);
  useEffect(() => {
    if (!isGoingOn) void client.invalidateQueries({ queryKey: ["setting"] }); // the job's result is now visible
  }, [client, isGoingOn]);

  const change = (setting: Name, to: object): Promise<unknown> =>
    run(async () => {
      await changeSetting(table, setting, to);
      await client.invalidateQueries(); // other areas show it too
    });

  return (
    <section aria-label={t("Settings")}>
      <h2>{t("Settings")}</h2>
      <ErrorNote error={error} />
      <ul className="parts">
        {[...(kind === "table" ? OF_TABLES : []), OPEN].map((each) => (
          <SwitchItem
            key={each.name}
            table={table}
            of={each as Switch}
            isDisabled={isBusy || isGoingOn}
            onChange={(to) => change(each.name, to)}
          />
        ))}
      </ul>
      {going.length > 0 && <JobList jobs={going} />}
      {kind === "table" && <Roles table={table} onChange={(to) => void change("workflow", to)} />}
    </section>
  );
}

interface SwitchItemProps {
  readonly table: TableName;
  readonly of: Switch;
  readonly isDisabled: boolean;
  readonly onChange: (to: object) => Promise<unknown>;
}

function SwitchItem({ table, of: { name, title, meaning, isOn, to }, isDisabled, onChange }: SwitchItemProps) {
  const { data, error } = useQuery(settingOf(table, name));
  const [isAsked, setAsked] = useState(false);
  /** The requested state while the change is under way. */
  const [wanted, setWanted] = useState<boolean>();

  async function change(next: boolean): Promise<void> {
    if (isDisabled || !data) return;
    setWanted(next);
    await onChange(to(next));
    setWanted(undefined);
  }

  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={wanted ?? (data !== undefined && isOn(data))}
          aria-disabled={isDisabled || !data} // it keeps the focus
          onChange={({ target }) => {
            if (name === "workflow" && !isDisabled && data) setAsked(true);
            else void change(target.checked);
          }}
        />{" "}
        <strong>{title}</strong> <span className="quiet">{meaning}</span>
      </label>
      <ErrorNote error={error} />
      {isAsked && data && (
        <WorkflowDialog
          table={table}
          isOn={isOn(data)}
          onClose={() => setAsked(false)}
          onYes={() => change(!isOn(data))}
        />
      )}
    </li>
  );
}

interface WorkflowDialogProps {
  readonly table: TableName;
  readonly isOn: boolean;
  readonly onClose: () => void;
  readonly onYes: () => Promise<void>;
}

/** Confirms the switch, because it changes the table, and what others see of it. */
function WorkflowDialog({ table: { table }, isOn, onClose, onYes }: WorkflowDialogProps) {
  const title = isOn ? t("Switch off the workflow") : t("Switch on the workflow");
  return (
    <FormDialog
      title={
        isOn ? t("Switch off the workflow of {table}?", { table }) : t("Switch on the workflow of {table}?", { table })
      }
      action={title}
      isDanger={isOn}
      onClose={onClose}
      onSubmit={onYes}
    >
      {isOn ? (
        <p>
          {t(
            "It is refused while rows are not published. The columns portolan_status and portolan_workflow stay, with the last state.",
          )}
        </p>
      ) : (
        <p>
          {t(
            "The table gets the columns portolan_status and portolan_workflow. Existing rows count as published; rows that are written from then on are drafts, which readers do not see until a publisher publishes them.",
          )}
        </p>
      )}
    </FormDialog>
  );
}

interface RolesProps {
  readonly table: TableName;
  readonly onChange: (change: object) => void;
}

/** The roles of the workflow, if it is on. Super users publish without a role. */
function Roles({ table, onChange }: RolesProps) {
  const { data } = useQuery(settingOf(table, "workflow"));
  const users = useUsers(data?.enabled ?? false);
  const accounts = users.data?.filter(({ superuser, name }) => !superuser && name !== "anonymous") ?? [];
  if (!data?.enabled || accounts.length === 0) return null;
  return (
    <fieldset className="fields columns">
      <legend>{t("Who does what in the workflow")}</legend>
      {accounts.map(({ name }) => (
        <Field key={name} label={name}>
          <select
            value={data.roles.find(({ subuser }) => subuser === name)?.role ?? "none"}
            onChange={({ target }) => onChange({ roles: [{ subuser: name, role: target.value }] })}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {ofService(role)}
              </option>
            ))}
          </select>
        </Field>
      ))}
    </fieldset>
  );
}
