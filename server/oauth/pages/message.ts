import { html } from "../../kernel/http/html.ts";
import type { Exchange } from "../exchange.ts";
import { sendPage } from "./layout.ts";

/** A page that only says something. */
export function messagePage(exchange: Exchange, status: number, title: string, text: string): void {
  sendPage(exchange, status, title, html`<p>${text}</p>`);
}
