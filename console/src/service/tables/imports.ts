/** Imports of files into tables: previewing a file, sending it while the service reads it, and undoing the import. */
import { ask, repeated, ServiceError } from "../http/ask.ts";
import { once } from "../http/requestKey.ts";
import { service } from "../http/address.ts";
import type { FilePreview, Imported } from "../http/openapi.ts";
import type { Relation } from "../rows/relations.ts";
import { IMPORT_FORMATS, type FileFormat } from "../rows/rowFormats.ts";
import { rest, tablePath } from "../http/rest.ts";
import { token } from "../http/session.ts";
import { t } from "../../words/words.ts";

export type { FilePreview, Imported };

/** The reasons why a file was refused. */
export class ImportError extends ServiceError {
  /** The fault of each row with its position; a single fault where the whole file was refused. */
  readonly faults: readonly string[];

  constructor(message: string, code: string, faults: readonly string[]) {
    super(message, code);
    this.faults = faults;
  }
}

interface Refusal {
  readonly detail?: string;
  readonly code?: string;
  readonly faults?: readonly { readonly message: string }[];
}

/** The options, by the parameter names of the service. */
export type FileOptions = Readonly<Partial<Record<"delimiter" | "encoding" | "layer" | "srid", string>>>;

export const ENDINGS = IMPORT_FORMATS.map(({ ending }) => `.${ending}`);

/** Undefined for a file of another format. */
export function fileFormatOf({ name }: Pick<File, "name">): FileFormat | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  return IMPORT_FORMATS.find((format) => format.ending === ending);
}

/** The most bytes of a preview of a file whose beginning suffices, as much as the service reads. */
const PREVIEW_BYTES = 8_000_000;

export async function previewFile(file: File, options: FileOptions): Promise<FilePreview> {
  const format = fileFormatOf(file);
  if (format === undefined)
    throw new Error(t("The name of the file must end in one of {endings}.", { endings: ENDINGS.join(" ") }));
  const body = format.isWhole ? file : file.slice(0, PREVIEW_BYTES);
  const response = await ask(`/api/v4/import/preview?${new URLSearchParams(options)}`, {
    method: "POST",
    headers: { "Content-Type": format.mediaType },
    body,
  });
  return (await response.json()) as FilePreview;
}

export interface Sending {
  readonly file: File;
  readonly schema: string;
  readonly table: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the sent part. The service reads no faster than it inserts, so that is about the finished part. */
  readonly onProgress: (share: number) => void;
}

/**
 * Sends a file, whose rows are inserted once if it is sent again after the answer was lost. Throws `ImportError`, and
 * `AbortError` once the signal has fired; nothing is imported then.
 */
export async function sendFile({ file, parameters, signal, onProgress, ...table }: Sending): Promise<Imported> {
  const bearer = await token();
  const text = JSON.stringify([table, parameters, file.name, file.size, file.lastModified]);
  const send = (key: string): Promise<Imported> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest(); // fetch does not report the progress of sending
      request.open("POST", `${service}/api/v4${tablePath(table)}/import?${new URLSearchParams(parameters)}`);
      if (bearer !== undefined) request.setRequestHeader("Authorization", `Bearer ${bearer}`);
      request.setRequestHeader("Idempotency-Key", key);
      request.setRequestHeader("Content-Type", fileFormatOf(file)!.mediaType);
      request.responseType = "json";
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onerror = () =>
        reject(
          new ServiceError(
            t("The service does not answer. Import again when it does: rows that are there already do not come twice."),
            "UNREACHABLE",
          ),
        );
      request.onabort = () => reject(new DOMException("Stopped", "AbortError"));
      request.onload = () => {
        const body = request.response as (Imported & Refusal) | null;
        if (request.status === 200 && body) return resolve(body);
        const detail = body?.code === "REPEATED" ? repeated() : (body?.detail ?? request.statusText);
        const faults = body?.faults?.map(({ message }) => message) ?? [detail];
        return reject(new ImportError(detail, body?.code ?? String(request.status), faults));
      };
      signal.addEventListener("abort", () => request.abort(), { once: true });
      request.send(file);
    });
  return once(text, send);
}

/** Whether the rows of an import can be deleted again, which needs the history of their table. */
export function canUndo({ versionedSince, canDelete, hasKey }: Relation, { at }: Imported): boolean {
  return (
    at !== null && versionedSince !== undefined && Date.parse(at) > Date.parse(versionedSince) && canDelete && hasKey
  );
}

/** Deletes the rows that an import has inserted. Throws where somebody has changed one of them since. */
export async function undoImport(relation: Relation, { at, rows }: Imported): Promise<void> {
  if (at === null) return; // it has inserted none
  await rest.POST("/schemas/{schema}/tables/{table}/undo", { params: { path: relation }, body: { at, rows } });
}
