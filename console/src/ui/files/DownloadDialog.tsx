/** Files of a collection that the service makes in the background, of any size and format, and keeps for a while. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { makesFiles } from "../../service/http/address.ts";
import { beginDownload, downloadsOf } from "../../service/downloads.ts";
import { FILE_FORMATS } from "../../service/rows/rowFormats.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { Dialog } from "../forms/Dialog.tsx";
import { Field } from "../forms/Field.tsx";
import { useAccount } from "../hooks/useAccount.ts";
import { useAttempt } from "../hooks/useAttempt.ts";
import { DownloadList } from "./DownloadList.tsx";
import { t } from "../../words/words.ts";

export interface DownloadDialogProps {
  /** The id of the collection. */
  readonly collection: string;
  readonly title: string;
  /** The form's initial filter, in CQL2. */
  readonly filter?: string | undefined;
  readonly onClose: () => void;
}

/** Opens the dialog. Renders nothing if the service makes no files. */
export function MakeFileButton(props: Omit<DownloadDialogProps, "onClose">) {
  const [isOpen, setIsOpen] = useState(false);
  if (!makesFiles) return null;
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("Download")}
      </button>
      {isOpen && <DownloadDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

export function DownloadDialog({ collection, title, filter: given = "", onClose }: DownloadDialogProps) {
  const { data: account } = useAccount();
  const database = account?.database ?? "";
  const client = useQueryClient();
  const files = useQuery({ ...downloadsOf(database), enabled: account != null });
  const [format, setFormat] = useState(FILE_FORMATS[0]!.name);
  const [filter, setFilter] = useState(given);
  const { error, isBusy, run } = useAttempt();
  const own = files.data?.filter((file) => file.collection === collection) ?? [];

  async function make(): Promise<void> {
    const wanted = { format, ...(filter.trim() !== "" && { filter: filter.trim() }) };
    await run(async () => {
      await beginDownload(database, collection, wanted);
      await client.invalidateQueries({ queryKey: downloadsOf(database).queryKey });
    });
  }

  return (
    <Dialog title={t("Files of {title}", { title })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <div className="fields">
          <Field label={t("Format")}>
            <select value={format} onChange={({ target }) => setFormat(target.value)}>
              {FILE_FORMATS.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <Field
            label={t("Only where")}
            hint={t("A condition in CQL2, such as population > 100000. Empty: all that you may see")}
          >
            <input
              value={filter}
              maxLength={10_000}
              spellCheck={false}
              onChange={({ target }) => setFilter(target.value)}
            />
          </Field>
          <p className="quiet">
            {t("The file is made while you continue. Only you see it, and it is kept for a while.")}
          </p>
        </div>
        <ErrorNote error={error ?? files.error} />
        <DownloadList database={database} downloads={own} />
        <div className="tools">
          <button type="submit" aria-disabled={isBusy}>
            {t("Make the file")}
          </button>
          <button type="button" className="plain" onClick={onClose}>
            {t("Close")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
