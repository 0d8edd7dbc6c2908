/** `/signout`: ends the session of this browser, and goes back to the client or the page of ours that asked for it. */
import { GatewayError } from "../../ground/errors.ts";
import { sendNothing } from "../../kernel/http/answer.ts";
import { oauthError } from "../errors.ts";
import type { Step } from "../context.ts";
import { messagePage } from "../pages/message.ts";
import { checkReturn, chooseDatabase, readQuery } from "../steps/browser.ts";
import { endSession } from "../sessions.ts";

/** An image or a script of another page must not sign anybody out (Fetch Metadata §2.2); clients that send no such header may. */
const onlyNavigations: Step = ({ request }) => {
  const mode = request.headers["sec-fetch-mode"];
  if (mode !== undefined && mode !== "navigate")
    throw new GatewayError("FORBIDDEN", "You are still signed in: only a page that you open yourself signs you out");
};

const end: Step = endSession;

/** To addresses that a client has registered, nowhere else. */
const goBack: Step = async (context) => {
  const { parameters, database, response, returnTo } = context;
  const { redirect_uri: uri, client_id: clientId, state } = parameters;
  if (uri === undefined && returnTo !== undefined)
    return sendNothing(response, 303, { "Cache-Control": "no-store", Location: returnTo });
  if (uri === undefined) return messagePage(context, 200, "You are signed out", "You can close this page.");
  const { registered } = await database.db.one<{ registered: boolean }>(
    `
select exists (
  select from portolan.clients c
  where (c.redirect_uri @> array[$1::text] or c.homepage = $1) and c.id = coalesce($2, c.id)) as registered`,
    [uri, clientId ?? null],
  );
  if (!registered)
    throw oauthError("invalid_request", "You are signed out; 'redirect_uri' is not registered for a client");
  const location = new URL(uri); // a homepage may have a fragment, and letters that no header has
  if (state !== undefined) location.searchParams.append("state", state);
  sendNothing(response, 302, { "Cache-Control": "no-store", Location: location.href });
};

export const signout: readonly Step[] = [onlyNavigations, readQuery, checkReturn, chooseDatabase, end, goBack];
