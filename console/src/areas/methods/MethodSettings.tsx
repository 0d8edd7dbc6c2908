import { OUTPUT_FORMATS } from "../../service/rows/rowFormats.ts";
import { Field } from "../../ui/forms/Field.tsx";
import type { Settings } from "./settings.ts";
import { t } from "../../words/words.ts";

export interface MethodSettingsProps {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

/** Name, label and hint of the settings with a text field. */
const FIELDS = [
  ["timeout_ms", t("Time limit"), t("Milliseconds; empty: the limit of the service"), "number"],
  ["max_rows", t("Most rows"), t("More rows are an error; empty: no limit"), "number"],
  ["cache_seconds", t("Kept for"), t("Seconds; empty: never"), "number"],
  ["srs", t("Reference system"), t("EPSG code of geometries in the result"), "number"],
  [
    "type_hints",
    t("Types"),
    t("Of parameters and columns, such as {example}", { example: '{"ids": "int4[]"}' }),
    "text",
  ],
  [
    "type_formats",
    t("Patterns of dates"),
    t("In the letters of PHP's date(), such as {example}", { example: '{"day": "d.m.Y"}' }),
    "text",
  ],
] as const;

export function MethodSettings({ settings, onChange }: MethodSettingsProps) {
  return (
    <details>
      <summary>{t("Description, format and limits")}</summary>
      <div className="fields columns">
        <Field label={t("Description")} hint={t("For its callers")}>
          <input
            value={settings.description}
            onChange={({ target }) => onChange({ ...settings, description: target.value })}
          />
        </Field>
        <Field label={t("Format")} hint={t("Of the rows")}>
          <select
            value={settings.output_format}
            onChange={({ target }) => onChange({ ...settings, output_format: target.value })}
          >
            {OUTPUT_FORMATS.map((format) => (
              <option key={format}>{format}</option>
            ))}
          </select>
        </Field>
        {FIELDS.map(([name, label, hint, type]) => (
          <Field key={name} label={label} hint={hint}>
            <input
              type={type}
              spellCheck={false}
              value={settings[name]}
              onChange={({ target }) => onChange({ ...settings, [name]: target.value })}
            />
          </Field>
        ))}
      </div>
    </details>
  );
}
