/** Adds a constraint: a key, a foreign key, or a check of a column. */
import { useState } from "react";
import { tablePath } from "../../service/http/rest.ts";
import { useSchemaTables } from "../../service/tables/schemas.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { SchemaChoice } from "../../ui/forms/SchemaChoice.tsx";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import type { ColumnOf } from "./ColumnDialog.tsx";
import { Choices } from "../../ui/forms/Choices.tsx";
import { t } from "../../words/words.ts";

export interface ConstraintDialogProps {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly ColumnOf[];
  readonly onClose: () => void;
}

const KINDS = [
  ["foreign_key", t("Foreign key")],
  ["unique", t("Unique")],
  ["check", t("Check")],
  ["primary_key", t("Primary key")],
] as const;
const OPERATORS = ["=", "<>", "<", "<=", ">", ">=", "~", "in"];
const ACTIONS = ["no action", "restrict", "cascade", "set null", "set default"];

export function ConstraintDialog({ schema, table, columns, onClose }: ConstraintDialogProps) {
  const [kind, setKind] = useState<string>("foreign_key");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [parts, setParts] = useState<object>();
  const needsParts = kind === "foreign_key" || kind === "check";
  const isWhole =
    chosen.length > 0 && (!needsParts || parts !== undefined) && (kind !== "check" || chosen.length === 1);
  return (
    <ChangeDialog
      title={t("A new constraint of {table}", { table })}
      action={t("Add constraint")}
      change={
        isWhole
          ? {
              method: "POST",
              path: `${tablePath({ schema, table })}/constraints`,
              body: { kind, columns: chosen, ...(needsParts && parts) },
            }
          : undefined
      }
      onClose={onClose}
    >
      <Field label={t("Kind")} hint={t("Existing rows must satisfy it")}>
        <select
          value={kind}
          onChange={({ target }) => {
            setKind(target.value);
            setParts(undefined);
          }}
        >
          {KINDS.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <Choices
        legend={t("Columns")}
        names={columns.map((column) => column.name)}
        chosen={chosen}
        onChange={setChosen}
      />
      {kind === "foreign_key" && <ReferenceParts schema={schema} count={chosen.length} onChange={setParts} />}
      {kind === "check" && <CheckParts onChange={setParts} />}
    </ChangeDialog>
  );
}

interface PartsProps {
  /** Undefined while something is missing. */
  readonly onChange: (parts: object | undefined) => void;
}

function ReferenceParts({
  schema: own,
  count,
  onChange,
}: PartsProps & { readonly schema: string; readonly count: number }) {
  const [schema, setSchema] = useState(own);
  const [table, setTable] = useState("");
  const [action, setAction] = useState("no action");
  const tables = useSchemaTables(schema);
  const keyOf = (name: string): readonly string[] => tables.data?.find((each) => each.name === name)?.key ?? [];

  function tell(to: string, onDelete: string): void {
    const columns = keyOf(to);
    onChange(columns.length === 0 ? undefined : { references: { schema, table: to, columns }, on_delete: onDelete });
  }

  return (
    <>
      <div className="tools">
        <span>{t("refers to")}</span>
        <SchemaChoice
          value={schema}
          onChange={(next) => {
            setSchema(next);
            setTable("");
            onChange(undefined);
          }}
        />
        <select
          aria-label={t("Table")}
          required
          value={table}
          onChange={({ target }) => {
            setTable(target.value);
            tell(target.value, action);
          }}
        >
          <option value="" disabled>
            {t("a table with a key")}
          </option>
          {tables.data
            ?.filter(({ key }) => key.length > 0)
            .map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
        </select>
        {table !== "" && (
          <span className="quiet">
            {t("by its key ({key})", { key: keyOf(table).join(", ") })}
            {keyOf(table).length !== count && t(": choose {count} of this table", { count: keyOf(table).length })}
          </span>
        )}
      </div>
      <Field label={t("When the other row is deleted")}>
        <select
          value={action}
          onChange={({ target }) => {
            setAction(target.value);
            tell(table, target.value);
          }}
        >
          {ACTIONS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
    </>
  );
}

function CheckParts({ onChange }: PartsProps) {
  const [operator, setOperator] = useState(">");
  const [text, setText] = useState("");

  function tell(by: string, value: string): void {
    onChange(value === "" ? undefined : { operator: by, value: by === "in" ? value.split("\n") : value });
  }

  return (
    <div className="tools">
      <select
        aria-label={t("Operator")}
        value={operator}
        onChange={({ target }) => {
          setOperator(target.value);
          tell(target.value, text);
        }}
      >
        {OPERATORS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <textarea
        aria-label={t("Value")}
        rows={operator === "in" ? 4 : 1}
        placeholder={operator === "in" ? t("one a line") : ""}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          tell(operator, target.value);
        }}
      />
    </div>
  );
}
