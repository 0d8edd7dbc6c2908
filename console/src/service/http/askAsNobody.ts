/** Anonymous requests of public pages, even if the browser is signed in. */
import { service } from "./address.ts";
import { t } from "../../words/words.ts";

/** An answer that is an error: the message of the service, and its code. */
export class PublicError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** `path`: below the service. Throws `PublicError`. */
export async function askAsNobody(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${service}${path}`, { ...init, credentials: "omit" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Error(t("The service does not answer."), { cause });
  }
  if (response.ok) return response;
  const { detail, title, code } = (await response.json().catch(() => ({}))) as Readonly<
    Record<string, string | undefined>
  >;
  throw new PublicError(detail ?? title ?? response.statusText, code);
}
