/**
 * The styles of a table by name: import of files of other programs, export as SLD and MapLibre, and the choice of the
 * default.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { service } from "../../../service/http/address.ts";
import {
  chooseStyle,
  collectionPath,
  importStyle,
  stylesOf,
  type ImportedStyle,
  type NamedStyle,
} from "../../../service/maps.ts";
import { ErrorNote } from "../../ErrorNote.tsx";
import { useAccount } from "../../hooks/useAccount.ts";
import { t } from "../../../words/words.ts";

export interface StyleFilesProps {
  readonly schema: string;
  readonly table: string;
  /** Called when a style of this name has been imported. */
  readonly onImported: (name: string) => void;
}

export function StyleFiles({ schema, table, onImported }: StyleFilesProps) {
  const client = useQueryClient();
  const { data: account } = useAccount();
  const styles = useQuery(stylesOf(schema, table));
  const [name, setName] = useState("default");
  const refresh = () => client.invalidateQueries({ queryKey: stylesOf(schema, table).queryKey });
  const choose = useMutation({ mutationFn: (of: string) => chooseStyle(schema, table, of), onSuccess: refresh });
  const upload = useMutation({
    mutationFn: async (file: File) => importStyle(schema, table, { name, document: await file.text() }),
    async onSuccess(made) {
      await refresh();
      onImported(made.name);
    },
  });
  const path = `${service}${collectionPath(account?.database ?? "", schema, table)}/styles`;
  return (
    <section className="style-files" aria-label={t("Styles by name")}>
      <h2>{t("Styles by name")}</h2>
      <ErrorNote error={upload.error ?? choose.error ?? styles.error} />
      <ul className="plain">
        {styles.data?.map((style) => (
          <li key={style.name} className="tools">
            <Named
              style={style}
              file={`${table}-${style.name}`}
              address={`${path}/${encodeURIComponent(style.name)}`}
              onChoose={() => choose.mutate(style.name)}
            />
          </li>
        ))}
      </ul>
      <div className="tools">
        <label>
          {t("Name")}{" "}
          <input
            value={name}
            pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
            maxLength={60}
            onChange={({ target: { value } }) => setName(value)}
          />
        </label>
        <label>
          {t("File of SLD, QML or for MapLibre")}{" "}
          <input
            type="file"
            accept=".sld,.xml,.qml,.json"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) upload.mutate(file);
              target.value = ""; // so that the same file can be chosen again
            }}
          />
        </label>
      </div>
      <div aria-live="polite">{upload.data && <Imported {...upload.data} />}</div>
    </section>
  );
}

interface NamedProps {
  readonly style: NamedStyle;
  /** The name of a file, without its extension. */
  readonly file: string;
  readonly address: string;
  readonly onChoose: () => void;
}

function Named({ style: { name, title, default: isDefault }, file, address, onChoose }: NamedProps) {
  return (
    <>
      <strong>{name}</strong>
      {title !== null && <span className="quiet">{title}</span>}
      <a href={`${address}?f=sld`} download={`${file}.sld`} aria-label={t("{name} as SLD", { name })}>
        SLD
      </a>
      <a href={`${address}?f=mbs`} download={`${file}.json`} aria-label={t("{name} for MapLibre", { name })}>
        MapLibre
      </a>
      {isDefault ? (
        <span className="quiet">{t("the default")}</span>
      ) : (
        <button type="button" onClick={onChoose} aria-label={t("Make {name} the default", { name })}>
          {t("Make default")}
        </button>
      )}
    </>
  );
}

/** The result of an import. */
function Imported({ name, notes }: ImportedStyle) {
  return (
    <>
      <p className="quiet">
        {notes.length > 0
          ? t("{name} is set. These parts of it are left out:", { name })
          : t("{name} is set completely.", { name })}
      </p>
      <ul>
        {notes.map(({ at, message }) => (
          <li key={`${at} ${message}`}>
            {at !== "" && <code>{at}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  );
}
