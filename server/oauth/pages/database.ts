import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks for the database if there are several and the request names none. The rest of the request does not change. */
export function databasePage(context: OAuthContext): void {
  const { parameters, kernel } = context;
  const { database, goOn } = textsOf(context);
  sendPage(
    context,
    200,
    database.title,
    html`<form method="get" action="">
      ${Object.entries(parameters).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <div class="field">
        <label for="database">${database.label}</label>
        ${
          kernel.directory.hasPattern
            ? html`<input id="database" name="database" required autocapitalize="none" spellcheck="false" />`
            : html`<select id="database" name="database">
                ${kernel.directory.names.map((name) => html`<option>${name}</option>`)}
              </select>`
        }
      </div>
      <button type="submit">${goOn}</button>
    </form>`,
  );
}
