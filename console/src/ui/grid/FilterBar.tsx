/** Builds a filter by clicks, or edits its JSON. */
import { useRef, useState, type ReactNode } from "react";
import { toGroups, toWhere } from "../../service/rows/filterGroups.ts";
import { OPERATORS, patternOf } from "../../service/rows/filterText.ts";
import { fromText, type Typed } from "../../service/rows/values.ts";
import { FilterChips } from "./FilterChips.tsx";
import { t } from "../../words/words.ts";

export interface FilterBarProps {
  /** Default: Filter. */
  readonly label?: string;
  readonly columns: readonly Typed[];
  readonly where: object | undefined;
  readonly onChange: (where: object | undefined) => void;
}

/** The first field of the form. */
const FIELD = "form :is(select, textarea)";

export function FilterBar({ label = t("Filter"), columns, where, onChange }: FilterBarProps) {
  const [isJson, setIsJson] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  /** Moves the focus to the form, since the pressed button is gone. */
  const goOn = (): void => void requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>(FIELD)?.focus());
  const setForm = (next: boolean): void => {
    setIsJson(next);
    goOn();
  };
  return (
    <div ref={bar} className="filter" role="search" aria-label={label}>
      <FilterChips where={where} onChange={onChange} onGone={goOn} />
      {isJson ? (
        <JsonForm where={where} onChange={onChange} onClose={() => setForm(false)} />
      ) : (
        <ClicksForm
          columns={columns}
          onAdd={(condition) => onChange(toWhere([...toGroups(where), [condition]]))}
          onJson={() => setForm(true)}
        />
      )}
    </div>
  );
}

interface ClicksFormProps {
  readonly columns: readonly Typed[];
  readonly onAdd: (condition: object) => void;
  readonly onJson: () => void;
}

function ClicksForm({ columns, onAdd, onJson }: ClicksFormProps) {
  const [column, setColumn] = useState(columns[0]?.name ?? "");
  const [operator, setOperator] = useState<string>("eq");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();

  function add(): void {
    const chosen = columns.find(({ name }) => name === column);
    if (!chosen) return;
    try {
      onAdd(toCondition(chosen, operator, text));
      setProblem(undefined);
      setText("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <FilterForm onSubmit={add} problem={problem}>
      <select aria-label={t("Column")} value={column} onChange={({ target }) => setColumn(target.value)}>
        {columns.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select aria-label={t("Operator")} value={operator} onChange={({ target }) => setOperator(target.value)}>
        {OPERATORS.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      {operator !== "null" && operator !== "filled" && (
        <input
          aria-label={t("Value")}
          value={text}
          onChange={({ target }) => setText(target.value)}
          spellCheck={false}
        />
      )}
      <button type="submit" className="second">
        {t("Filter")}
      </button>
      <button type="button" className="plain" onClick={onJson}>
        {t("as JSON")}
      </button>
    </FilterForm>
  );
}

interface JsonFormProps extends Pick<FilterBarProps, "where" | "onChange"> {
  readonly onClose: () => void;
}

function JsonForm({ where, onChange, onClose }: JsonFormProps) {
  const [text, setText] = useState(where ? JSON.stringify(where) : "");
  const [problem, setProblem] = useState<string>();

  function use(): void {
    try {
      const parsed = text.trim() ? (JSON.parse(text) as unknown) : undefined;
      if (parsed !== undefined && (typeof parsed !== "object" || parsed === null)) throw new TypeError();
      onChange(parsed as object | undefined);
      onClose();
    } catch {
      setProblem(t("This is not a JSON object."));
    }
  }

  return (
    <FilterForm onSubmit={use} problem={problem}>
      <textarea
        aria-label={t("Filter as JSON")}
        rows={2}
        value={text}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="second">
        {t("Filter")}
      </button>
      <button type="button" className="plain" onClick={onClose}>
        {t("by clicks")}
      </button>
    </FilterForm>
  );
}

interface FilterFormProps {
  readonly onSubmit: () => void;
  readonly problem: string | undefined;
  readonly children: ReactNode;
}

function FilterForm({ onSubmit, problem, children }: FilterFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {problem !== undefined && (
        <p className="note error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** A condition. Throws where the text is not a value of the column. */
function toCondition(column: Typed, operator: string, text: string): object {
  if (operator === "null") return { [column.name]: null };
  if (operator === "filled") return { not: { [column.name]: null } };
  if (operator === "contains" || operator === "begins") return { [column.name]: { ilike: patternOf(operator, text) } };
  return { [column.name]: { [operator]: operator === "ilike" ? text : fromText(column, text) } };
}
