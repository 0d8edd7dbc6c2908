import { html } from "../../kernel/http/html.ts";
import type { OAuthContext } from "../context.ts";
import { sendPage } from "./layout.ts";

/** A page that only says something. */
export function messagePage(context: OAuthContext, status: number, title: string, text: string): void {
  sendPage(context, status, title, html`<p>${text}</p>`);
}
