/** Anonymous requests of public pages, even if the browser is signed in. */
import { service } from "./address.ts";
import { t } from "../../words/words.ts";

/** `path`: below the service. Throws with the message of the service. */
export async function askAsNobody(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${service}${path}`, { ...init, credentials: "omit" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Error(t("The service does not answer."), { cause });
  }
  if (response.ok) return response;
  const { detail, title } = (await response.json().catch(() => ({}))) as Readonly<Record<string, string | undefined>>;
  throw new Error(detail ?? title ?? response.statusText);
}
