/** The files that were made for the account, with their progress, and buttons to save and remove each. */
import { useQueryClient } from "@tanstack/react-query";
import { addressOf, downloadsOf, removeDownload, type Download } from "../../service/downloads.ts";
import { when } from "../../service/rows/history.ts";
import { FILE_FORMATS } from "../../service/rows/rowFormats.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { sizeText } from "./sizeText.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { t } from "../../words/words.ts";

export interface DownloadListProps {
  readonly database: string;
  /** The files of one collection. */
  readonly downloads: readonly Download[];
}

export function DownloadList({ database, downloads }: DownloadListProps) {
  return (
    <ul className="parts" aria-label={t("Your files")} aria-live="polite">
      {downloads.map((download) => (
        <File key={download.id} database={database} download={download} />
      ))}
    </ul>
  );
}

function File({ database, download }: { readonly database: string; readonly download: Download }) {
  const { format, state, rows, bytes, expires, error } = download;
  const client = useQueryClient();
  const attempt = useAttempt();
  const label = FILE_FORMATS.find(({ name }) => name === format)?.label ?? format;
  const act = (work: () => Promise<void>): void =>
    void attempt.run(async () => {
      await work();
      await client.invalidateQueries({ queryKey: downloadsOf(database).queryKey });
    });
  return (
    <li className="tools">
      <strong>{label}</strong>
      {state === "running" && <progress aria-label={t("{label} is being made", { label })} />}
      <span>
        {rowsText(rows)}
        {state === "running" ? ` ${t("so far")}` : bytes !== null && `, ${sizeText(bytes)}`}
      </span>
      {state === "done" && <span className="quiet">{t("until {when}", { when: when(expires) })}</span>}
      {error !== null && <span className="failed">{error}</span>}
      {state === "done" && (
        <button
          type="button"
          aria-disabled={attempt.isBusy}
          aria-label={t("Save {label}", { label })}
          onClick={() => act(async () => load(await addressOf(database, download)))}
        >
          {t("Save")}
        </button>
      )}
      <button
        type="button"
        className="plain"
        aria-disabled={attempt.isBusy}
        aria-label={state === "running" ? t("Stop making {label}", { label }) : t("Remove {label}", { label })}
        onClick={() => act(() => removeDownload(database, download))}
      >
        {state === "running" ? t("Stop") : t("Remove")}
      </button>
      <ErrorNote error={attempt.error} />
    </li>
  );
}

/** Lets the browser save it as a download, since the answer is marked as an attachment. */
function load(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
