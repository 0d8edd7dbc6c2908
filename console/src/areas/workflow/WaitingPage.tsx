/** The waiting rows of one table, the changes that each would make, and moving many of them at once. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { shapeOf } from "../../service/maps.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import {
  move,
  useWaiting,
  useWaitingRows,
  type Waiting,
  type WaitingRow,
  type WaitingState,
} from "../../service/workflow.ts";
import { Changed } from "../../ui/lists/Changed.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ShapeChanges } from "./ShapeChanges.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { t } from "../../words/words.ts";

type Target = WaitingState | "published";

interface Step {
  readonly to: Target;
  readonly title: string;
  /** The effect of the step. */
  readonly meaning: string;
}

const STATES = { drafted: t("drafted"), reviewed: t("reviewed"), published: t("published") } as const;
const ROLES = {
  author: t("You are an author here."),
  reviewer: t("You are a reviewer here."),
  publisher: t("You are a publisher here."),
} as const;

const PUBLISH: Step = {
  to: "published",
  title: t("Publish"),
  meaning: t("Accounts that may read the table see them then."),
};
const REVIEW: Step = { to: "reviewed", title: t("Pass on"), meaning: t("They wait for a publisher then.") };
const SEND_BACK: Step = { to: "drafted", title: t("Send back"), meaning: t("They are drafts of their authors again.") };

/** The actions of a role on rows in a state. */
const STEPS: Readonly<Record<Waiting["role"], Readonly<Record<WaitingState, readonly Step[]>>>> = {
  author: { drafted: [], reviewed: [] },
  reviewer: { drafted: [REVIEW], reviewed: [SEND_BACK] },
  publisher: { drafted: [PUBLISH, REVIEW], reviewed: [PUBLISH, SEND_BACK] },
};

export function WaitingPage() {
  const { schema, table } = useParams({ from: "/workflow/$schema/$table" });
  const waiting = useWaiting();
  const found = waiting.data?.find((each) => each.schema === schema && each.table === table);
  if (waiting.isPending) return <p className="empty">{t("One moment …")}</p>;
  if (!found) return <NotFound what={t("You take no part in a workflow of {table}.", { table })} />;
  return <Rows key={`${schema} ${table}`} waiting={found} />;
}

function Rows({ waiting }: { readonly waiting: Waiting }) {
  const { table, role, reviewed } = waiting;
  const search = useSearch({ from: "/workflow/$schema/$table" });
  const navigate = useNavigate({ from: "/workflow/$schema/$table" });
  const client = useQueryClient();
  const state = search.state ?? (role === "publisher" && reviewed > 0 ? "reviewed" : "drafted");
  const found = useWaitingRows(waiting, state);
  const hasShapes = useHasShapes(waiting);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [step, setStep] = useState<Step>();
  const [said, setSaid] = useState("");
  const all = found.data?.pages.flat() ?? [];
  const rows = all.filter(({ key }) => chosen.has(key));
  const steps = STEPS[role][state];

  async function reload(sentence = ""): Promise<void> {
    setSaid(sentence);
    setChosen(new Set());
    await Promise.all(
      ["waiting", "waiting rows", "rows", "count"].map((what) => client.invalidateQueries({ queryKey: [what] })),
    );
  }

  return (
    <section className="relation" aria-label={table}>
      <Head
        waiting={waiting}
        state={state}
        onState={(each) => {
          setChosen(new Set());
          void navigate({ search: { state: each } });
        }}
        onReload={() => void reload()}
      />
      {said !== "" && <p role="status">{said}</p>}
      <ErrorNote error={found.error} />
      {steps.length > 0 && all.length > 0 && (
        <StepTools steps={steps} chosen={rows.length} all={all} onChoose={setChosen} onStep={setStep} />
      )}
      {found.data && all.length === 0 && (
        <p className="empty">{t("Nothing waits here that is {state}.", { state: STATES[state] })}</p>
      )}
      <div className="scroll" role="region" aria-label={t("Waiting rows")} tabIndex={0}>
        <ul className="differences" aria-label={t("Rows that wait")}>
          {all.map((row) => (
            <WaitingItem
              key={row.key}
              waiting={waiting}
              row={row}
              hasShapes={hasShapes}
              isChosen={chosen.has(row.key)}
              onToggle={steps.length === 0 ? undefined : () => setChosen(toggled(chosen, row.key))}
            />
          ))}
        </ul>
        {found.hasNextPage && (
          <button type="button" aria-disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t("More")}
          </button>
        )}
      </div>
      {step && (
        <MoveDialog
          waiting={waiting}
          rows={rows}
          step={step}
          onClose={() => setStep(undefined)}
          onDone={() => reload(t("{rows}: {state}.", { rows: rowsText(rows.length), state: STATES[step.to] }))}
        />
      )}
    </section>
  );
}

function useHasShapes({ schema, table }: Waiting): boolean {
  const tables = useQuery(tablesOf(schema));
  const found = tables.data?.find(({ name }) => name === table);
  return found !== undefined && shapeOf(found) !== undefined;
}

interface StepToolsProps {
  readonly steps: readonly Step[];
  /** The number of chosen rows. */
  readonly chosen: number;
  readonly all: readonly WaitingRow[];
  readonly onChoose: (keys: ReadonlySet<string>) => void;
  readonly onStep: (step: Step) => void;
}

function StepTools({ steps, chosen, all, onChoose, onStep }: StepToolsProps) {
  const hasAll = chosen === all.length;
  return (
    <div className="tools">
      <button type="button" onClick={() => onChoose(new Set(hasAll ? [] : all.map(({ key }) => key)))}>
        {hasAll ? t("Choose none") : t("Choose all {count} shown", { count: all.length })}
      </button>
      {steps.map((each) => (
        <button key={each.to} type="button" aria-disabled={chosen === 0} onClick={() => onStep(each)}>
          {each.title} {chosen > 0 && chosen}
        </button>
      ))}
    </div>
  );
}

interface HeadProps {
  readonly waiting: Waiting;
  readonly state: WaitingState;
  readonly onState: (state: WaitingState) => void;
  readonly onReload: () => void;
}

function Head({ waiting, state, onState, onReload }: HeadProps) {
  const { table, role } = waiting;
  return (
    <>
      <div className="head">
        <h1>{table}</h1>
        <span className="quiet">{ROLES[role]}</span>
        <span className="tools" role="group" aria-label={t("State")}>
          {(["drafted", "reviewed"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === state} onClick={() => onState(each)}>
              {STATES[each]} {waiting[each]}
            </button>
          ))}
          <button type="button" onClick={onReload}>
            {t("Reload")}
          </button>
        </span>
      </div>
      {role === "author" && (
        <p className="quiet">{t("Your rows that are not published; a reviewer continues with them.")}</p>
      )}
    </>
  );
}

interface MoveDialogProps {
  readonly waiting: Waiting;
  readonly rows: readonly WaitingRow[];
  readonly step: Step;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function MoveDialog({ waiting, rows, step, onClose, onDone }: MoveDialogProps) {
  return (
    <FormDialog
      title={t("{title} {rows} of {table}?", { title: step.title, rows: rowsText(rows.length), table: waiting.table })}
      action={t("{title} {rows}", { title: step.title, rows: rowsText(rows.length) })}
      onClose={onClose}
      onSubmit={async () => {
        await move(waiting, rows, step.to);
        await onDone();
      }}
    >
      <p>
        {t(
          "{meaning} All of them or none: if somebody has changed one of them since it was shown here, none is moved.",
          { meaning: step.meaning },
        )}
      </p>
    </FormDialog>
  );
}

interface WaitingItemProps {
  readonly waiting: Waiting;
  readonly row: WaitingRow;
  /** Whether the table has a geometry. */
  readonly hasShapes: boolean;
  readonly isChosen: boolean;
  /** Undefined where the account may move nothing. */
  readonly onToggle: (() => void) | undefined;
}

function WaitingItem({ waiting, row, hasShapes, isChosen, onToggle }: WaitingItemProps) {
  const { key, author, reviewer, published, record } = row;
  const people = [
    author !== null && t("by {account}", { account: author }),
    reviewer !== null && t("reviewed by {account}", { account: reviewer }),
  ].filter(Boolean);
  return (
    <li>
      <div className="tools">
        {onToggle && (
          <input type="checkbox" aria-label={t("Choose {key}", { key })} checked={isChosen} onChange={onToggle} />
        )}
        <span className="mark">{published ? t("changed") : t("new")}</span>
        <strong>{key}</strong>
        <span className="quiet">{people.join(", ")}</span>
      </div>
      <Changed before={published} after={record} />
      {hasShapes && <ShapeChanges waiting={waiting} row={row} />}
    </li>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
