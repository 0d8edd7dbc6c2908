/** Imports a file into an existing table, or into a new one. */
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import {
  canUndo,
  ENDINGS,
  fileFormatOf,
  previewFile,
  undoImport,
  type FileOptions,
  type FilePreview,
  type Imported,
} from "../../service/tables/imports.ts";
import type { Relation, Table } from "../../service/rows/relations.ts";
import { useSchemaTables } from "../../service/tables/schemas.ts";
import { findTable } from "../../service/tables/tables.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useRelations } from "../../ui/relations.tsx";
import { FilePlan } from "./FilePlan.tsx";
import { useDrop } from "./useDrop.ts";
import { NotFound } from "../../ui/NotFound.tsx";
import { t } from "../../words/words.ts";

const MOST_LOOKS = 20;
const LOOK_AGAIN_MS = 1000;

export function ImportPage() {
  const { schema = "", table } = useParams({ strict: false });
  const tables = useSchemaTables(schema);
  const target = tables.data && table !== undefined ? findTable(tables.data, table) : undefined;
  if (tables.error && !tables.data) return <ErrorNote error={tables.error} />;
  if (!tables.data) return <p className="empty">{t("One moment …")}</p>;
  if (table !== undefined && !target?.rights.includes("insert"))
    return <NotFound what={t("There is no table {table}, or you may not insert into it.", { table })} />;
  return (
    <>
      <ErrorNote error={tables.error} />
      <Import key={`${schema} ${table}`} schema={schema} target={target} tables={tables.data} />
    </>
  );
}

type Target = Parameters<typeof FilePlan>[0]["target"];

/** A file, the options for reading it, and its preview. */
interface Chosen {
  readonly file: File;
  readonly options: FileOptions;
  readonly preview?: FilePreview;
  readonly error?: Error;
}

/** The last choice, and the function that makes one. */
function useChosen() {
  const [chosen, setChosen] = useState<Chosen>();
  async function look(file: File | undefined, options: FileOptions): Promise<void> {
    const begun = file && { file, options };
    setChosen(begun);
    if (!begun) return;
    const seen = await previewFile(file, options).then(
      (preview) => ({ preview }),
      (thrown: unknown) => ({ error: thrown as Error }),
    );
    setChosen((now) => (now === begun ? { ...begun, ...seen } : now)); // otherwise another file was chosen meanwhile
  }
  return [chosen, look] as const;
}

interface ImportProps {
  readonly schema: string;
  /** Undefined for a new table, unless the person then chooses a table that has the name of the file. */
  readonly target: Target;
  readonly tables: readonly Table[];
}

function Import({ schema, target: first, tables }: ImportProps) {
  const [target, setTarget] = useState(first);
  const [chosen, choose] = useChosen();
  const [done, setDone] = useState<{ readonly table: string; readonly imported: Imported }>();
  const input = useRef<HTMLInputElement>(null);
  const { file, options = {}, preview, error = null } = chosen ?? {};

  function look(next: File | undefined, how: FileOptions): void {
    setDone(undefined);
    void choose(next, how);
  }

  const { isOver, handlers } = useDrop((dropped) => {
    const first = new DataTransfer();
    first.items.add(dropped);
    input.current!.files = first.files; // so that it shows the name
    look(dropped, {});
  });

  const change = (name: keyof FileOptions, value: string): void => {
    if (value === (options[name] ?? "")) return; // a field that was only passed through
    const { [name]: _before, ...others } = options;
    look(file, value === "" ? others : { ...others, [name]: value });
  };
  return (
    <section className={isOver ? "import over" : "import"} aria-label={t("Import")} {...handlers}>
      <h1>
        {target ? t("Import into {name}", { name: target.name }) : t("A new table in {schema} from a file", { schema })}
      </h1>
      <p className="quiet">
        {t(
          "CSV or Excel with names in the first row, GeoJSON, GeoPackage, a Shapefile (zip), KML, GPX, FlatGeobuf or Parquet. All rows are inserted or none, under your own rights.",
        )}
      </p>
      <div className="fields">
        <Field label={t("File")} hint={t("Or drop it anywhere on this page")}>
          <input
            ref={input}
            type="file"
            accept={ENDINGS.join()}
            onChange={({ target: { files } }) => look(files?.[0], {})}
          />
        </Field>
        {file && <Options file={file} options={options} onChange={change} />}
      </div>
      <ErrorNote error={error} />
      {file && !preview && !error && (
        <p role="status" className="quiet">
          {t("Reading its beginning …")}
        </p>
      )}
      {done && <Done schema={schema} {...done} />}
      {file && preview && !done && (
        <FilePlan
          key={target?.name ?? ""}
          schema={schema}
          target={target}
          tables={tables}
          onTarget={setTarget}
          file={file}
          options={options}
          preview={preview}
          onDone={(table, imported) => setDone({ table, imported })}
        />
      )}
    </section>
  );
}

interface OptionsProps {
  readonly file: File;
  readonly options: FileOptions;
  readonly onChange: (name: keyof FileOptions, value: string) => void;
}

/** The options that a file of its format has. */
function Options({ file, options, onChange }: OptionsProps) {
  const format = fileFormatOf(file);
  const isSheet = format?.layers === "Sheet";
  return (
    <>
      {format?.hasDelimiters && (
        <Field label={t("Delimiter")}>
          <select value={options.delimiter ?? ""} onChange={({ target: { value } }) => onChange("delimiter", value)}>
            <option value="">{t("detected")}</option>
            <option value=",">{t("comma")}</option>
            <option value=";">{t("semicolon")}</option>
            <option value={"\t"}>{t("tab")}</option>
            <option value="|">{t("bar")}</option>
          </select>
        </Field>
      )}
      {format?.hasEncodings && (
        <Field label={t("Encoding")}>
          <select value={options.encoding ?? ""} onChange={({ target: { value } }) => onChange("encoding", value)}>
            <option value="">{format.hasDelimiters ? "UTF-8" : t("as the file says")}</option>
            {!format.hasDelimiters && <option value="utf-8">UTF-8</option>}
            <option value="windows-1252">{t("Windows, western Europe (windows-1252)")}</option>
            <option value="iso-8859-2">{t("central Europe (iso-8859-2)")}</option>
            <option value="windows-1251">{t("Windows, Cyrillic (windows-1251)")}</option>
            {format.hasDelimiters && <option value="utf-16le">UTF-16</option>}
          </select>
        </Field>
      )}
      {format?.layers && (
        <Field
          label={isSheet ? t("Sheet") : t("Layer")}
          hint={isSheet ? t("The first one where it is left empty") : t("May be left empty where there is one")}
        >
          <input
            spellCheck={false}
            defaultValue={options.layer ?? ""}
            onBlur={({ target: { value } }) => onChange("layer", value)}
          />
        </Field>
      )}
      {format?.mayLackSystem && (
        <Field label={t("EPSG code")} hint={t("Where the file does not say its reference system")}>
          <input
            inputMode="numeric"
            size={8}
            defaultValue={options.srid ?? ""}
            onBlur={({ target: { value } }) => onChange("srid", value)}
          />
        </Field>
      )}
    </>
  );
}

interface DoneProps {
  readonly schema: string;
  readonly table: string;
  readonly imported: Imported;
}

function Done({ schema, table, imported }: DoneProps) {
  const relation = useMadeRelation(schema, table);
  return (
    <p role="status" className="tools">
      {t("{rows} inserted into {table}.", { rows: rowsText(imported.rows), table })}
      {relation && (
        <Link to="/data/$schema/$table" params={{ schema, table: relation.table }}>
          {t("See them")}
        </Link>
      )}
      {relation && canUndo(relation, imported) && <Undo relation={relation} imported={imported} />}
    </p>
  );
}

/**
 * The relation of a table. A table that was just made appears in GraphQL a moment later, so it is requested a few
 * times.
 */
function useMadeRelation(schema: string, table: string): Relation | undefined {
  const { data, refetch } = useRelations(schema);
  const [times, setTimes] = useState(0);
  const relation = data?.find((each) => each.table === table);
  useEffect(() => {
    if (relation !== undefined || times === MOST_LOOKS) return undefined;
    const timer = setTimeout(() => void refetch().then(() => setTimes((before) => before + 1)), LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [relation, times, refetch]);
  return relation;
}

function Undo({ relation, imported }: { readonly relation: Relation; readonly imported: Imported }) {
  const client = useQueryClient();
  const [told, setTold] = useState("");
  const [error, setError] = useState<Error | null>(null);

  async function undo(): Promise<void> {
    try {
      await undoImport(relation, imported);
      setTold(t("{rows} deleted again.", { rows: rowsText(imported.rows) }));
      await client.invalidateQueries();
    } catch (thrown) {
      setError(thrown as Error);
    }
  }
  if (told) return <span>{told}</span>;
  return (
    <>
      <button type="button" onClick={() => void undo()}>
        {imported.rows === 1
          ? t("Undo: delete this row")
          : t("Undo: delete these {rows}", { rows: rowsText(imported.rows) })}
      </button>
      <ErrorNote error={error} />
    </>
  );
}
