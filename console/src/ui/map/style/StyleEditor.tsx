/** The classes of a table's style. They are made by hand or from its values, and saved. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { qualifiedName } from "../../../service/access.ts";
import { saveStyle, styleOf, type Shape, type Style } from "../../../service/maps.ts";
import type { Table } from "../../../service/rows/relations.ts";
import { quoted } from "../../../service/sql/literals.ts";
import { CodeSamples } from "../../code/CodeSamples.tsx";
import { ErrorNote } from "../../ErrorNote.tsx";
import { useSettled } from "../../hooks/useSettled.ts";
import { useUndo } from "../../hooks/useUndo.ts";
import { StyleClasses } from "./StyleClasses.tsx";
import { StyleFiles } from "./StyleFiles.tsx";
import { t } from "../../../words/words.ts";

export interface StyleEditorProps {
  readonly schema: string;
  readonly table: Table;
  readonly shape: Shape;
  readonly stored: Style;
  /** Called with the unsaved style, a moment after a change; with undefined where the stored style applies. */
  readonly onDraft: (style: Style | undefined) => void;
  readonly onSaved?: () => void;
}

/** The pause after a change before the map is drawn again, in ms. */
const PAUSE = 100;

export function StyleEditor({ schema, table, shape, stored, onDraft, onSaved }: StyleEditorProps) {
  const client = useQueryClient();
  const { value: style, change, undo, reset } = useUndo(stored);
  const settled = useSettled(style, PAUSE);
  const [failure, setFailure] = useState<Error | null>(null);
  /** Incremented when the fields are replaced as a whole. */
  const [round, setRound] = useState(0);
  const isChanged = JSON.stringify(style) !== JSON.stringify(stored);
  /**
   * The style that was just saved, which the service may not have read yet. The map gets it as a draft, so that it
   * never shows the previous one.
   */
  const [fresh, setFresh] = useState<Style>();
  const draft = isChanged ? settled : fresh;
  useEffect(() => onDraft(draft), [onDraft, draft]);

  function replace(next: Style): void {
    change(next);
    setRound(round + 1);
  }

  async function save(): Promise<void> {
    try {
      await saveStyle(schema, table.name, style);
      client.setQueryData(styleOf(schema, table.name).queryKey, style);
      reset(style);
      setFresh(style.length > 0 ? style : undefined);
      setFailure(null);
      onSaved?.();
    } catch (error) {
      setFailure(error as Error);
    }
  }

  /** Continues the editing with the imported style. */
  async function imported(name: string): Promise<void> {
    if (name !== "default") return;
    const next = await client.fetchQuery({ ...styleOf(schema, table.name), staleTime: 0 });
    reset(next);
    setFresh(next);
    setRound(round + 1);
    onSaved?.();
  }

  return (
    <div className="style-editor">
      <SaveTools
        isChanged={isChanged}
        onSave={() => void save()}
        onUndo={
          undo &&
          (() => {
            undo();
            setRound(round + 1);
          })
        }
      />
      <ErrorNote error={failure} onClose={() => setFailure(null)} />
      {style.length === 0 && <p className="quiet">{t("No style yet: the default is used.")}</p>}
      <StyleClasses {...{ schema, table, shape, style, round }} onChange={change} onReplace={replace} />
      <StyleFiles schema={schema} table={table.name} onImported={(name) => void imported(name)} />
      <details>
        <summary>{t("To copy")}</summary>
        <CodeSamples label={t("Format")} samples={samplesOf(schema, table.name, style)} />
      </details>
    </div>
  );
}

interface SaveToolsProps {
  readonly isChanged: boolean;
  readonly onSave: () => void;
  /** Undefined where nothing was changed. */
  readonly onUndo: (() => void) | undefined;
}

function SaveTools({ isChanged, onSave, onUndo }: SaveToolsProps) {
  return (
    <div className="tools">
      <button type="button" className="primary" aria-disabled={!isChanged} onClick={onSave}>
        {t("Save the style")}
      </button>
      <button type="button" aria-disabled={!onUndo} onClick={onUndo}>
        {t("Undo")}
      </button>
      <span className="quiet" aria-live="polite">
        {isChanged ? t("Only you see this until you save it.") : ""}
      </span>
    </div>
  );
}

function samplesOf(schema: string, table: string, style: Style) {
  const text = JSON.stringify(style, null, 2);
  const value = style.length === 0 ? "null" : quoted(text);
  return [
    { name: "SQL", code: `select portolan.set_style(${quoted(qualifiedName(schema, table))}, ${value});\n` },
    { name: "JSON", code: text },
  ];
}
