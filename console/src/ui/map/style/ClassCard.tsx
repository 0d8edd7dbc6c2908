/** One class of a style: its rows, and their drawing. */
import type { Drawing, Label, Shape, StyleClass } from "../../../service/maps.ts";
import type { Typed } from "../../../service/rows/values.ts";
import { Field } from "../../forms/Field.tsx";
import { FilterBar } from "../../grid/FilterBar.tsx";
import { t } from "../../../words/words.ts";

const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "x"] as const;

export interface ClassCardProps {
  readonly value: StyleClass;
  readonly shape: Shape;
  /** The columns that a condition may name, and that labels may show. */
  readonly columns: readonly Typed[];
  /** `what`: the changed member. */
  readonly onChange: (value: StyleClass, what: string) => void;
  readonly onRemove: () => void;
  readonly onUp: (() => void) | undefined;
}

export function ClassCard({ value, shape, columns, onChange, onRemove, onUp }: ClassCardProps) {
  const { name, styles, labels } = value;
  const [drawing = {}, ...more] = styles ?? [];
  const [label, ...others] = labels ?? [];
  const draw = (members: Optional<Drawing>): void =>
    onChange({ ...value, styles: [given<Drawing>({ ...drawing, ...members }), ...more] }, Object.keys(members).join());
  const write = (members: Optional<Label>): void => {
    const next = given<Label>({ text: "", ...label, ...members });
    onChange(
      { ...value, labels: next.text === "" ? others : [next, ...others] },
      `label ${Object.keys(members).join()}`,
    );
  };
  return (
    <li className="class">
      <details>
        <summary>
          <span className="swatch" style={{ background: isColour(drawing.color) ? drawing.color : "none" }} /> {name}
        </summary>
        <div className="fields columns">
          <Field label={t("Name")}>
            <input
              value={name}
              maxLength={100}
              onChange={({ target }) => onChange({ ...value, name: target.value }, "name")}
            />
          </Field>
          <WhereField value={value} columns={columns} onChange={onChange} />
          <ColourField label={t("Colour")} value={drawing.color} onChange={(color) => draw({ color })} />
          {shape !== "line" && (
            <ColourField
              label={t("Outline")}
              value={drawing.outlineColor}
              onChange={(outlineColor) => draw({ outlineColor })}
            />
          )}
          <NumberField label={t("Width of lines")} value={drawing.width} onChange={(width) => draw({ width })} />
          {shape === "point" && (
            <>
              <NumberField label={t("Size")} value={drawing.size} onChange={(size) => draw({ size })} />
              <Field label={t("Symbol")}>
                <select value={drawing.symbol ?? "circle"} onChange={({ target }) => draw({ symbol: target.value })}>
                  {SYMBOLS.map((symbol) => (
                    <option key={symbol}>{symbol}</option>
                  ))}
                </select>
              </Field>
            </>
          )}
          <NumberField
            label={t("Opacity in percent")}
            value={drawing.opacity}
            onChange={(opacity) => draw({ opacity })}
          />
          <Field label={t("Label")}>
            <select value={label?.text ?? ""} onChange={({ target }) => write({ text: target.value })}>
              <option value="">{t("none")}</option>
              {[...new Set([...columns.map(({ name }) => name), ...(label ? [label.text] : [])])].map((column) => (
                <option key={column}>{column}</option>
              ))}
            </select>
          </Field>
          {label && (
            <NumberField label={t("Size of the label")} value={label.size} onChange={(size) => write({ size })} />
          )}
        </div>
        <div className="tools">
          {onUp && (
            <button type="button" className="plain" aria-label={t("Up: {name}", { name })} onClick={onUp}>
              {t("Up")}
            </button>
          )}
          <button type="button" className="plain" aria-label={t("Remove: {name}", { name })} onClick={onRemove}>
            {t("Remove")}
          </button>
        </div>
      </details>
    </li>
  );
}

function WhereField({ value, columns, onChange }: Pick<ClassCardProps, "value" | "columns" | "onChange">) {
  const where = isFilter(value.where) ? value.where : undefined;
  return (
    <div className="field only">
      <span>{t("Only where")}</span>
      {!where && <span className="quiet">{t("every row")}</span>}
      <FilterBar
        label={t("Only where: {name}", { name: value.name })}
        columns={columns}
        where={where}
        onChange={(next) => onChange(withWhere(value, next), `where ${JSON.stringify(next)}`)}
      />
    </div>
  );
}

type Optional<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

/** The members without undefined ones. */
function given<T extends object>(members: Optional<T>): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as unknown as T;
}

function withWhere({ where: _before, ...rest }: StyleClass, where: unknown): StyleClass {
  return where === undefined ? rest : { ...rest, where };
}

function isFilter(where: unknown): where is object {
  return typeof where === "object" && where !== null;
}

function isColour(value: string | undefined): value is string {
  return value !== undefined && /^#[0-9a-f]{6}$/i.test(value);
}

interface ColourFieldProps {
  readonly label: string;
  /** A colour, or the name of a column with colours. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function ColourField({ label, value, onChange }: ColourFieldProps) {
  return (
    <div className="field">
      <span>{label}</span>
      <span className="tools">
        <input
          type="color"
          className={isColour(value) ? "" : "unset"}
          aria-label={label}
          value={isColour(value) ? value : "#000000"}
          onChange={({ target }) => onChange(target.value)}
        />
        <span className="quiet">{value ?? t("none")}</span>
        {value !== undefined && (
          <button
            type="button"
            className="plain"
            aria-label={t("No {label}", { label: label.toLowerCase() })}
            onClick={() => onChange(undefined)}
          >
            {t("None")}
          </button>
        )}
      </span>
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  /** A number, or the name of a column with numbers. */
  readonly value: number | string | undefined;
  readonly onChange: (value: number | string | undefined) => void;
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label}>
      <input
        inputMode="decimal"
        value={value ?? ""}
        placeholder={t("default")}
        onChange={({ target: { value: text } }) =>
          onChange(text.trim() === "" ? undefined : Number.isFinite(Number(text)) ? Number(text) : text)
        }
      />
    </Field>
  );
}
