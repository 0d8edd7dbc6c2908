/** The target column of each column of a file, the first rows of the file, and the import itself. */
import { shortType } from "../../service/rows/shortType.ts";
import { useId, useRef, useState } from "react";
import { ServiceError } from "../../service/http/ask.ts";
import { sendFile, type FileOptions, type FilePreview, type Imported } from "../../service/tables/imports.ts";
import type { Table } from "../../service/rows/relations.ts";
import { schemaPath, useRunChange } from "../../service/tables/schemas.ts";
import { tablePath } from "../../service/http/rest.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { TypeInput } from "../../ui/forms/TypeInput.tsx";
import { Refused } from "./Refused.tsx";
import { t } from "../../words/words.ts";

export interface FilePlanProps {
  readonly schema: string;
  /** Undefined for an import into a new table. */
  readonly target: Table | undefined;
  /** All of the schema. */
  readonly tables: readonly Table[];
  readonly onTarget: (target: Table) => void;
  readonly file: File;
  readonly options: FileOptions;
  readonly preview: FilePreview;
  readonly onDone: (table: string, imported: Imported) => void;
}

/** The target of one column of the file: a column of the table, empty for none, and the type of a new column. */
interface Place {
  readonly column: string;
  readonly type: string;
}

const GEOMETRY_NAME = /^(geometry|geom|the_geom|wkt|shape)$/i;
const ROWS_SHOWN = 8;

function placesOf({ columns }: FilePreview, target: Table | undefined): readonly Place[] {
  const spatial = target ? spatialOf(target) : [];
  return columns.map(({ name, type }) => {
    if (!target) return { column: name === "geometry" ? "geom" : name, type };
    const own =
      target.columns.find((column) => column.name.toLowerCase() === name.toLowerCase()) ??
      (GEOMETRY_NAME.test(name) && spatial.length === 1 ? spatial[0] : undefined);
    return { column: own?.rights.includes("insert") ? own.name : "", type };
  });
}

/** The columns for longitude and latitude, where the table has no columns for them but a geometry column. */
function pointOf({ point }: FilePreview, target: Table | undefined): readonly [x: string, y: string] {
  const isOwn = target?.columns.some(({ name }) => point?.includes(name.toLowerCase()));
  const [x, y] = (isOwn || (target && spatialOf(target).length !== 1) ? null : point) ?? [];
  return [x ?? "", y ?? ""];
}

function spatialOf({ columns }: Table): Table["columns"] {
  return columns.filter(({ type }) => /^(geometry|geography)\b/.test(type));
}

function tableNameOf({ name }: File): string {
  return name
    .replace(/\.\w+$/, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_");
}

export function FilePlan({ schema, target, tables, onTarget, file, options, preview, onDone }: FilePlanProps) {
  const [places, setPlaces] = useState(() => placesOf(preview, target));
  const [point, setPoint] = useState(() => pointOf(preview, target));
  const [table, setTable] = useState(target?.name ?? tableNameOf(file));
  const { send, stop, share, error, told } = useSending();
  const change = useRunChange();
  /** The new table that is there already, as it was asked for. */
  const made = useRef<string>(undefined);
  const isPoint = point[0] !== "" && point[1] !== "";
  const columns = Object.fromEntries(
    preview.columns.flatMap(({ name }, index) => (places[index]!.column === "" ? [] : [[name, places[index]!.column]])),
  );
  const parameters = {
    ...options,
    columns: JSON.stringify(columns),
    ...(isPoint && { point: point.join(",") }),
  };

  async function importFile(): Promise<void> {
    if (target) return send({ file, schema, table, parameters }, (imported) => onDone(table, imported));
    const kept = places.filter(({ column }) => column !== "");
    const body = {
      name: table,
      columns: [
        ...(kept.some(({ column }) => column === "id") ? [] : [{ name: "id", type: "bigint", identity: true }]),
        ...kept.map(({ column, type }) => ({ name: column, type })),
        ...(isPoint ? [{ name: "geom", type: "geometry(Point,4326)" }] : []),
      ],
      key: ["id"],
    };
    await send({ file, schema, table, parameters }, (imported) => onDone(table, imported), {
      async before() {
        const wanted = JSON.stringify(body);
        if (made.current === wanted) return; // by an attempt whose answer was lost
        await change({ method: "POST", path: `${schemaPath(schema)}/tables`, body });
        made.current = wanted;
      },
      // the table was made for this import, so it is dropped if the rows were not imported
      async failed(thrown) {
        if (thrown instanceof ServiceError && ["UNREACHABLE", "REPEATED"].includes(thrown.code)) return;
        made.current = undefined;
        await change({ method: "DELETE", path: tablePath({ schema, table }) });
      },
    });
  }

  return (
    <>
      {!target && <TableName table={table} tables={tables} onChange={setTable} onTarget={onTarget} />}
      <Places schema={schema} target={target} preview={preview} places={places} onChange={setPlaces} />
      <PointChoice preview={preview} point={point} onChange={setPoint} />
      <Refused error={error} />
      {told && <p role="status">{told}</p>}
      {share === undefined ? (
        <div className="tools">
          <button
            type="button"
            className="primary"
            aria-disabled={Object.keys(columns).length === 0 && !isPoint}
            onClick={() => void importFile()}
          >
            {target ? t("Import") : t("Make the table and import")}
          </button>
          {target && (
            <button
              type="button"
              onClick={() => void send({ file, schema, table, parameters: { ...parameters, dry: "true" } })}
            >
              {t("Check all rows first")}
            </button>
          )}
        </div>
      ) : (
        <div className="tools">
          <progress aria-label={t("How much of the file was read")} max={1} value={share} />
          <span className="quiet">{Math.floor(share * 100)} %</span>
          <button type="button" onClick={stop}>
            {t("Stop")}
          </button>
        </div>
      )}
    </>
  );
}

interface TableNameProps extends Pick<FilePlanProps, "tables" | "onTarget"> {
  readonly table: string;
  readonly onChange: (table: string) => void;
}

/** The name of the new table. A table that has it already is offered instead. */
function TableName({ table, tables, onChange, onTarget }: TableNameProps) {
  const taken = tables.find(({ name, rights }) => name === table && rights.includes("insert"));
  return (
    <>
      <Field label={t("Name of the table")} hint={t("It gets a key id if the file has none")}>
        <input required spellCheck={false} value={table} onChange={({ target }) => onChange(target.value)} />
      </Field>
      {taken && (
        <p className="tools">
          <span>{t("There is a table {table} already.", { table })}</span>
          <button type="button" onClick={() => onTarget(taken)}>
            {t("Import into it")}
          </button>
        </p>
      )}
    </>
  );
}

interface Around {
  readonly before: () => Promise<void>;
  readonly failed: (thrown: unknown) => Promise<void>;
}

/**
 * Sends a file, and shows the progress and the result. Without `onDone` it is a check, whose result is the sentence.
 */
function useSending() {
  const [going, setGoing] = useState<{ readonly share: number; readonly stopper: AbortController }>();
  const [error, setError] = useState<Error | null>(null);
  const [told, setTold] = useState("");
  async function send(
    what: Omit<Parameters<typeof sendFile>[0], "signal" | "onProgress">,
    onDone?: (imported: Imported) => void,
    around?: Around,
  ): Promise<void> {
    const stopper = new AbortController();
    const onProgress = (share: number): void => setGoing({ share, stopper });
    onProgress(0);
    setError(null);
    setTold("");
    let isMade = false;
    try {
      await around?.before();
      isMade = true;
      const imported = await sendFile({ ...what, signal: stopper.signal, onProgress });
      if (onDone) onDone(imported);
      else setTold(t("{rows} can be inserted.", { rows: rowsText(imported.rows) }));
    } catch (thrown) {
      if (isMade) await around?.failed(thrown).catch(() => undefined); // the first error is the one to report
      if (stopper.signal.aborted) setTold(t("Stopped: nothing is imported."));
      else setError(thrown as Error);
    }
    setGoing(undefined);
  }
  return { send, stop: () => going?.stopper.abort(), share: going?.share, error, told };
}

interface PlacesProps extends Pick<FilePlanProps, "schema" | "target" | "preview"> {
  readonly places: readonly Place[];
  readonly onChange: (places: readonly Place[]) => void;
}

function Places({ schema, target, preview, places, onChange }: PlacesProps) {
  const writable = target?.columns.filter(({ rights }) => rights.includes("insert")) ?? [];
  const set = (index: number, place: Partial<Place>): void =>
    onChange(places.with(index, { ...places[index]!, ...place }));
  return (
    <ScrolledTable
      label={t("Columns of the file and its first rows")}
      titles={[t("Column of the file"), target ? t("Goes to") : t("Becomes"), t("First values")]}
    >
      {preview.columns.map(({ name }, index) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            {target ? (
              <select
                aria-label={t("Where {name} goes", { name })}
                value={places[index]!.column}
                onChange={({ target: { value } }) => set(index, { column: value })}
              >
                <option value="">{t("is left out")}</option>
                {writable.map((column) => (
                  <option key={column.name} value={column.name}>
                    {column.name} ({shortType(column.type)})
                  </option>
                ))}
              </select>
            ) : (
              <span className="tools">
                <input
                  aria-label={t("Name of {name} in the table", { name })}
                  placeholder={t("is left out")}
                  spellCheck={false}
                  value={places[index]!.column}
                  onChange={({ target: { value } }) => set(index, { column: value })}
                />
                <TypeInput
                  schema={schema}
                  aria-label={t("Type of {name}", { name })}
                  value={places[index]!.type}
                  onChange={(type) => set(index, { type })}
                />
              </span>
            )}
          </td>
          <td className="quiet">
            <span className="values">
              {preview.rows
                .slice(0, ROWS_SHOWN)
                .map((row) => shown(row[index] ?? null))
                .join(" · ")}
            </span>
          </td>
        </tr>
      ))}
    </ScrolledTable>
  );
}

const SHAPES = [
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
];

/** A value of the file; of a geometry the kind, since nobody reads its coordinates. */
function shown(value: string | null): string {
  if (value === null) return "NULL";
  const [, ofJson] = /^\{"type":"(\w+)","(?:coordinates|geometries)"/.exec(value) ?? [];
  const [, ofBytes] = /^(?:SRID=\d+;)?01(0[1-7])0000[0-9a-f]{2}/i.exec(value) ?? [];
  return ofJson ?? (ofBytes === undefined ? value : SHAPES[Number(ofBytes) - 1]!);
}

interface PointChoiceProps extends Pick<FilePlanProps, "preview"> {
  readonly point: readonly [string, string];
  readonly onChange: (point: readonly [string, string]) => void;
}

function PointChoice({ preview, point: [x, y], onChange }: PointChoiceProps) {
  const id = useId();
  const choices = [
    <option key="" value="" />,
    ...preview.columns.map(({ name }) => <option key={name}>{name}</option>),
  ];
  return (
    <fieldset aria-describedby={id}>
      <legend>{t("Points of two columns")}</legend>
      <div className="tools">
        <label>
          {t("Longitude")}{" "}
          <select value={x} onChange={({ target: { value } }) => onChange([value, y])}>
            {choices}
          </select>
        </label>
        <label>
          {t("Latitude")}{" "}
          <select value={y} onChange={({ target: { value } }) => onChange([x, value])}>
            {choices}
          </select>
        </label>
      </div>
      <p id={id} className="quiet">
        {t("For a file without a geometry, but with its coordinates.")}
      </p>
    </fieldset>
  );
}
