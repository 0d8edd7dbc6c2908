/**
 * Rules in the order in which they apply. Changes take effect when they are saved, all at once. A preview shows their
 * effect first.
 */
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { inOrder, saveRules, useRules, type Rule } from "../../service/access.ts";
import { definitionsOf } from "../../service/tables/definitions.ts";
import { Definitions } from "../../ui/lists/Definitions.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { RuleDialog } from "./RuleDialog.tsx";
import { RulePreview } from "./RulePreview.tsx";
import { t } from "../../words/words.ts";

export function Rules() {
  const saved = useRules();
  const client = useQueryClient();
  const [draft, setDraft] = useState<readonly Rule[]>();
  const [open, setOpen] = useState<number | "new">();
  const { error: failure, isBusy: isSaving, run, clear } = useAttempt();
  const rules = draft ?? saved.data ?? [];

  const change = (next: readonly Rule[]): void => {
    setDraft(inOrder(next));
    clear(); // the message was about the rules before the change
  };

  function move(from: number, to: number): void {
    if (to < 0 || to >= rules.length || from === to) return;
    change(rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]!));
  }

  async function save(): Promise<void> {
    await saveRules(rules);
    await client.invalidateQueries({ queryKey: ["rules"] });
    setDraft(undefined);
  }

  return (
    <section aria-label={t("Rules")}>
      <div className="head">
        <h1>{t("Rules")}</h1>
        <span className="quiet" aria-live="polite">
          {draft ? t("Not saved yet: nothing of it holds.") : ""}
        </span>
        <span className="tools">
          <button type="button" className="primary" onClick={() => setOpen("new")}>
            {t("Add a rule")}
          </button>
          {draft && (
            <>
              <button type="button" className="primary" aria-disabled={isSaving} onClick={() => void run(save)}>
                {t("Save the rules")}
              </button>
              <button type="button" className="plain" onClick={() => setDraft(undefined)}>
                {t("Discard")}
              </button>
            </>
          )}
        </span>
      </div>
      <p className="quiet">
        {t("The first rule that matches decides; if none matches, only grants and policies decide.")}
      </p>
      <ErrorNote error={failure ?? saved.error} onClose={clear} />
      {saved.data && rules.length === 0 && (
        <p className="empty">
          {t("There is no rule: an account with a grant on a table sees the rows that its policies allow.")}
        </p>
      )}
      <ol className="rules" aria-label={t("Rules in their order")}>
        {rules.map((rule, index) => (
          <RuleRow
            key={`${rule.id ?? "new"} ${index}`}
            rule={rule}
            index={index}
            count={rules.length}
            onMove={move}
            onOpen={() => setOpen(index)}
            onRemove={() => change(rules.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <Policies />
      <RulePreview draft={draft} />
      {open !== undefined && (
        <RuleDialog
          rule={open === "new" ? undefined : rules[open]}
          onClose={() => setOpen(undefined)}
          onDone={(rule) => change(open === "new" ? [...rules, rule] : rules.with(open, rule))}
        />
      )}
    </section>
  );
}

/** The team's own policies, which apply in addition to the rules. */
function Policies() {
  const schemas = useSchemas();
  const read = useQueries({ queries: schemas.map(definitionsOf) });
  const policies = read.flatMap(({ data = [] }) => data.filter(({ kind }) => kind === "policy"));
  return (
    <>
      <h2>{t("Policies of tables")}</h2>
      <p className="quiet">
        {t("They apply in addition to the rules, to the roles that they name. A row is visible if both allow it.")}
      </p>
      <ErrorNote error={read.find(({ error }) => error)?.error ?? null} />
      {read.every(({ data }) => data) && policies.length === 0 && <p className="quiet">{t("No table has one.")}</p>}
      <Definitions label={t("Policies of tables")} definitions={policies} isOfSeveral />
    </>
  );
}

interface RuleRowProps {
  readonly rule: Rule;
  readonly index: number;
  readonly count: number;
  readonly onMove: (from: number, to: number) => void;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

const DRAGGED = "application/x-portolan-rule";

/** A rule. It can be dragged with the mouse, or moved with its buttons by keyboard. */
function RuleRow({ rule, index, count, onMove, onOpen, onRemove }: RuleRowProps) {
  const name = ruleText(rule);
  const drop = (event: DragEvent): void => {
    const from = event.dataTransfer.getData(DRAGGED);
    if (from === "") return;
    event.preventDefault();
    onMove(Number(from), index);
  };
  return (
    <li
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, String(index))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <span className={`mark ${rule.access}`}>{rule.access}</span>
      <span className="what">
        {name}{" "}
        <span className="quiet">
          {rule.id === undefined ? t("new") : t("rule {id}", { id: rule.id })}
          {t(", priority {priority}", { priority: rule.priority })}
        </span>
        {rule.filter !== null && <code>{rule.filter}</code>}
      </span>
      <span className="tools">
        <button
          type="button"
          className="plain"
          aria-disabled={index === 0}
          aria-label={t("Up: {name}", { name })}
          onClick={() => onMove(index, index - 1)}
        >
          ↑
        </button>
        <button
          type="button"
          className="plain"
          aria-disabled={index === count - 1}
          aria-label={t("Down: {name}", { name })}
          onClick={() => onMove(index, index + 1)}
        >
          ↓
        </button>
        <button type="button" className="plain" aria-label={t("Change: {name}", { name })} onClick={onOpen}>
          {t("Change")}
        </button>
        <button type="button" className="plain" aria-label={t("Remove: {name}", { name })} onClick={onRemove}>
          {t("Remove")}
        </button>
      </span>
    </li>
  );
}

/** The accounts and tables of the rule, as a sentence. */
function ruleText({ username, request, schema, table, service, iprange, mfa }: Rule): string {
  return [
    username === "*" ? t("everybody") : username,
    request === "*" ? t("every request") : request,
    t("on {schema}.{table}", { schema, table }),
    service !== "*" && t("through {service}", { service }),
    iprange !== "*" && t("from {iprange}", { iprange }),
    mfa && t("with a second factor"),
  ]
    .filter(Boolean)
    .join(" ");
}
