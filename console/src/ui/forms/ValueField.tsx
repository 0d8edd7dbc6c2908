/** The field that fits a column: a list where there are few values, and a search of rows for a foreign key. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Column, Reference, Relation } from "../../service/rows/relations.ts";
import { isGeometry } from "../../service/rows/isGeometry.ts";
import { findRows } from "../../service/rows/references.ts";
import type { Row } from "../../service/rows/rows.ts";
import { useRelations } from "../relations.tsx";
import { t } from "../../words/words.ts";

/** Loaded on demand, because it includes OpenLayers. */
const DrawDialog = lazy(async () => ({ default: (await import("../map/DrawDialog.tsx")).DrawDialog }));

export interface ValueFieldProps {
  readonly column: Column;
  /** The table and row of the value, where it has them: a drawn shape gets their reference system. */
  readonly relation?: Relation | undefined;
  readonly row?: Row | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
}

export function ValueField(props: ValueFieldProps) {
  const { column, text } = props;
  if (column.type === "Boolean") return <Choice {...props} values={["true", "false"]} />;
  if (column.values) return <Choice {...props} values={column.values} />;
  if (column.reference) return <ReferenceField {...props} reference={column.reference} />;
  // the browser's own picker accepts ordinary years, but not infinity
  if (column.type === "Date" && /^(\d{4}-\d\d-\d\d)?$/.test(text)) return <Line {...props} type="date" />;
  if (isGeometry(column)) return <GeometryField {...props} />;
  if (column.type === "JSON" || column.selection !== column.name) return <Lines {...props} rows={6} />;
  return <Lines {...props} rows={Math.min(8, text.split("\n").length)} />;
}

function Choice({
  column,
  text,
  onChange,
  autoFocus = true,
  values,
}: ValueFieldProps & { readonly values: readonly string[] }) {
  return (
    <select
      aria-label={column.name}
      autoFocus={autoFocus}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="" disabled hidden />
      {values.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

function Line({
  column,
  text,
  onChange,
  autoFocus = true,
  type,
}: ValueFieldProps & { readonly type: "date" | "text" }) {
  return (
    <input
      type={type}
      aria-label={column.name}
      autoFocus={autoFocus}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Lines({
  column,
  text,
  onChange,
  autoFocus = true,
  placeholder,
  rows,
}: ValueFieldProps & { readonly rows: number }) {
  return (
    <textarea
      aria-label={column.name}
      autoFocus={autoFocus}
      placeholder={placeholder}
      rows={rows}
      spellCheck={false}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** A geometry, as GeoJSON or drawn. */
function GeometryField(props: ValueFieldProps) {
  const { column, relation, row, text, onChange } = props;
  const [isDrawing, setIsDrawing] = useState(false);
  /** What was drawn, and its text, which the map cannot read if it is in another reference system. */
  const [drawn, setDrawn] = useState<{ readonly text: string; readonly shape: string }>();
  return (
    <span className="reference">
      <Lines {...props} rows={6} />
      <button type="button" onClick={() => setIsDrawing(true)}>
        {t("Draw {name} on the map", { name: column.name })}
      </button>
      {isDrawing && (
        <Suspense>
          <DrawDialog
            title={t("Draw {name}", { name: column.name })}
            column={column}
            relation={relation}
            row={row}
            text={drawn?.text === text ? drawn.shape : text}
            onDone={(next, shape) => {
              setDrawn({ text: next, shape });
              onChange(next);
            }}
            onClose={() => setIsDrawing(false)}
          />
        </Suspense>
      )}
    </span>
  );
}

/** The key as it is stored, and a list of the referenced table's rows that contain the searched text. */
function ReferenceField({ reference, ...field }: ValueFieldProps & { readonly reference: Reference }) {
  const [search, setSearch] = useState("");
  const { data: relations } = useRelations(reference.schema);
  const relation = relations?.find(({ table }) => table === reference.table);
  const key = relation?.columns.find(({ column }) => column === reference.column);
  const found = useQuery({
    queryKey: ["references", reference, search],
    queryFn: ({ signal }) => findRows(relation!, key!, search, signal),
    enabled: key !== undefined,
    placeholderData: (before) => before,
  });
  if (!relation || !key) return <Line {...field} type="text" />;
  return (
    <span className="reference">
      <Line {...field} type="text" />
      <input
        type="search"
        aria-label={t("Find in {table}", { table: relation.table })}
        placeholder={t("Find in {table}", { table: relation.table })}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <select
        size={5}
        aria-label={t("Rows of {table}", { table: relation.table })}
        value={found.data?.some(({ key }) => key === field.text) ? field.text : ""}
        onChange={({ target }) => field.onChange(target.value)}
      >
        <option value="" disabled hidden /> {/* else the first row is preselected and cannot be chosen */}
        {found.data?.map(({ key, title }) => (
          <option key={key} value={key}>
            {title === "" ? key : `${title} · ${key}`}
          </option>
        ))}
      </select>
    </span>
  );
}

interface NullableFieldProps extends Omit<ValueFieldProps, "onChange"> {
  readonly isNull: boolean;
  /** Called on changes. Typing ends the null state. */
  onChange(text: string, isNull: boolean): void;
}

/** The same with a check box for null, if the column accepts it. Null differs from the empty text. */
export function NullableField({ isNull, onChange, ...field }: NullableFieldProps) {
  return (
    <>
      <ValueField {...field} text={isNull ? "" : field.text} onChange={(next) => onChange(next, false)} />
      {field.column.isNullable && (
        <label>
          <input type="checkbox" checked={isNull} onChange={({ target }) => onChange(field.text, target.checked)} />{" "}
          null
        </label>
      )}
    </>
  );
}
