/**
 * The statement of a method: its editor, with checks while typing, trial runs and saving. Unsaved text survives a
 * reload.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { CallError, describe, type Definition, type Method, type Types } from "../../service/methods.ts";
import { Editor, type Problem } from "../../ui/code/Editor.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useKept } from "../../ui/hooks/useKept.ts";
import { useSettled } from "../../ui/hooks/useSettled.ts";
import { useSqlLanguage } from "../../ui/code/useSqlLanguage.ts";
import { MethodSettings } from "./MethodSettings.tsx";
import { MethodTrial } from "./MethodTrial.tsx";
import { completeParameters } from "../../ui/code/completeParameters.ts";
import { changesOf, membersOf, settingsOf, type Members, type Settings } from "./settings.ts";
import { t } from "../../words/words.ts";

export interface MethodEditorProps {
  readonly method: Method;
  readonly mayChange: boolean;
  /** Whether saving unpublishes it, so that others can no longer call it. */
  readonly unpublishes: boolean;
  readonly onSave: (members: object) => Promise<void>;
}

/** The pause after typing before the statement is checked, in ms. */
const PAUSE = 400;

export function MethodEditor({ method, mayChange, unpublishes, onSave }: MethodEditorProps) {
  const { data: account } = useAccount();
  const [q, setQ] = useKept(`method:${account?.database} ${method.method}`, method.q);
  const [settings, setSettings] = useState<Settings>(() => settingsOf(method));
  const [failure, setFailure] = useState<Error | null>(null);
  const [place, setPlace] = useState<Problem>();
  const members = read(settings);
  const changes = members instanceof Error ? {} : changesOf(method, { ...members, q });
  const isChanged = members instanceof Error || Object.keys(changes).length > 0;
  const definition = toDefinition(q, members instanceof Error ? membersOf(settingsOf(method)) : members);
  const found = useTypes(method, definition, mayChange);
  const language = useSqlLanguage(completeParameters);

  async function save(): Promise<void> {
    try {
      if (members instanceof Error) throw members;
      await onSave(changes);
      setQ(undefined);
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <>
      <Editor
        label={t("Statement")}
        text={q}
        onChange={(text) => {
          setQ(text);
          setPlace(undefined);
        }}
        language={language}
        problem={place ?? found.problem}
        isReadOnly={!mayChange}
      />
      <p className={found.problem ? "note error" : "quiet"} aria-live="polite">
        {found.problem ? found.problem.message : toSentence(found.outputs)}
      </p>
      {mayChange && (
        <>
          <MethodSettings settings={settings} onChange={setSettings} />
          <div className="tools">
            <button type="button" className="primary" aria-disabled={!isChanged} onClick={() => void save()}>
              {t("Save")}
            </button>
            <span className="quiet">
              {isChanged && unpublishes && Object.keys(changes).join() !== "description"
                ? t("Saving unpublishes it, until a super user publishes it again.")
                : isChanged
                  ? t("Not saved. A dry run tries this draft.")
                  : ""}
            </span>
          </div>
          <ErrorNote error={failure} onClose={() => setFailure(null)} />
        </>
      )}
      <MethodTrial
        method={method}
        draft={isChanged ? definition : undefined}
        inputs={found.inputs}
        onProblem={setPlace}
      />
    </>
  );
}

function read(settings: Settings): Members | Error {
  try {
    return membersOf(settings);
  } catch (error) {
    return error as Error;
  }
}

function toDefinition(q: string, members: Members): Definition {
  const { description: _description, cache_seconds: _seconds, ...others } = members;
  return { q, ...others };
}

interface Looked {
  readonly inputs: Types;
  readonly outputs: Types | undefined;
  readonly problem: Problem | undefined;
}

/** PostgreSQL's errors about the statement, a moment after typing. Nothing runs. */
function useTypes(method: Method, definition: Definition, mayChange: boolean): Looked {
  const text = useSettled(JSON.stringify(definition), PAUSE);
  const { data, error } = useQuery({
    queryKey: ["method types", method.method, text],
    queryFn: ({ signal }) => describe(method.method, JSON.parse(text) as Definition, signal),
    enabled: mayChange,
    retry: false,
    placeholderData: (before) => before,
  });
  const inputs = data?.input_schema ?? method.input_schema ?? {};
  const problem = useMemo(
    () => error && { message: error.message, position: error instanceof CallError ? error.position : undefined },
    [error],
  );
  return { inputs, outputs: data?.output_schema ?? method.output_schema ?? undefined, problem: problem ?? undefined };
}

function toSentence(outputs: Types | undefined): string {
  if (!outputs) return t("A dry run finds the types.");
  const columns = Object.entries(outputs).map(([name, { typescript }]) => `${name}: ${typescript}`);
  return columns.length === 0 ? t("Gives no rows.") : t("Gives {columns}", { columns: columns.join(", ") });
}
