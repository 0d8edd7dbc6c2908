/** The filter language by clicks, or as the JSON that it is. */
import { useState } from "react";
import type { Column } from "../../service/relations.ts";
import { fromText } from "../../service/values.ts";

/** The operators that every type knows, by what they are called here. */
const OPERATORS = [
  ["eq", "is"],
  ["neq", "is not"],
  ["gt", ">"],
  ["gte", "≥"],
  ["lt", "<"],
  ["lte", "≤"],
  ["ilike", "is like"],
  ["null", "is null"],
  ["filled", "is not null"],
] as const;

export interface FilterBarProps {
  readonly columns: readonly Column[];
  readonly where: object | undefined;
  readonly onChange: (where: object | undefined) => void;
}

export function FilterBar({ columns, where, onChange }: FilterBarProps) {
  const [column, setColumn] = useState(columns[0]?.name ?? "");
  const [operator, setOperator] = useState<string>("eq");
  const [text, setText] = useState("");
  const [asJson, setAsJson] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const takesValue = operator !== "null" && operator !== "filled";
  const conditions = toConditions(where);

  function add(): void {
    const chosen = columns.find(({ name }) => name === column);
    if (!chosen) return;
    try {
      const condition =
        operator === "null"
          ? { [column]: null }
          : operator === "filled"
            ? { not: { [column]: null } }
            : { [column]: { [operator]: operator === "ilike" ? text : fromText(chosen, text) } };
      setProblem(undefined);
      onChange(toWhere([...conditions, condition]));
      setText("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  function useJson(): void {
    try {
      const parsed = asJson?.trim() ? (JSON.parse(asJson) as unknown) : undefined;
      if (parsed !== undefined && (typeof parsed !== "object" || parsed === null)) throw new Error("no object");
      setProblem(undefined);
      setAsJson(undefined);
      onChange(parsed as object | undefined);
    } catch {
      setProblem("This is no JSON object.");
    }
  }

  return (
    <form
      className="filter"
      role="search"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        if (asJson === undefined) add();
        else useJson();
      }}
    >
      {conditions.map((condition, index) => (
        <span key={JSON.stringify(condition)} className="chip">
          <code>{JSON.stringify(condition)}</code>
          <button
            type="button"
            className="plain"
            aria-label={`Without ${JSON.stringify(condition)}`}
            onClick={() => onChange(toWhere(conditions.filter((_, each) => each !== index)))}
          >
            ×
          </button>
        </span>
      ))}
      {asJson === undefined ? (
        <>
          <select aria-label="Column" value={column} onChange={({ target }) => setColumn(target.value)}>
            {columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select aria-label="Operator" value={operator} onChange={({ target }) => setOperator(target.value)}>
            {OPERATORS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
          {takesValue && (
            <input
              aria-label="Value"
              value={text}
              onChange={({ target }) => setText(target.value)}
              spellCheck={false}
            />
          )}
          <button type="submit">Filter</button>
          <button type="button" className="plain" onClick={() => setAsJson(where ? JSON.stringify(where) : "")}>
            as JSON
          </button>
        </>
      ) : (
        <>
          <textarea
            aria-label="Filter as JSON"
            rows={2}
            value={asJson}
            spellCheck={false}
            onChange={({ target }) => setAsJson(target.value)}
          />
          <button type="submit">Filter</button>
          <button type="button" className="plain" onClick={() => setAsJson(undefined)}>
            by clicks
          </button>
        </>
      )}
      {problem !== undefined && (
        <p className="note error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** What must hold, one by one. */
function toConditions(where: object | undefined): readonly object[] {
  if (!where) return [];
  const all = (where as { and?: readonly object[] }).and;
  return all && Object.keys(where).length === 1 ? all : [where];
}

function toWhere(conditions: readonly object[]): object | undefined {
  return conditions.length <= 1 ? conditions[0] : { and: conditions };
}
