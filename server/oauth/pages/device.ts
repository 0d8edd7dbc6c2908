import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { field, form, sendPage } from "./layout.ts";
import { textsOf } from "./texts.ts";

/** Asks for the code that a device shows. */
export function deviceCodePage(context: OAuthContext, typed: string | undefined): void {
  const { notice } = context;
  const { device, goOn } = textsOf(context);
  sendPage(
    context,
    notice?.status ?? 200,
    device.title,
    html`${form(context, {
      body: html`${field({
          name: "user_code",
          label: device.code,
          hint: device.hint,
          autocomplete: "off",
          value: typed,
          notice: notice && { ...notice, field: "user_code" },
          autofocus: true,
          attributes: html`autocapitalize="characters" spellcheck="false" class="user-code" maxlength="40"`,
        })} <button type="submit" name="action" value="code">${goOn}</button>`,
    })}`,
  );
}
