import { html, type Html } from "../kernel/http/html.ts";

/** The head of a page that asks as an account. `root`: the address of the landing page; `title` says what the page is. */
export function tokenBar(root: string, title: Html): Html {
  return html`<form class="token-bar" id="token-bar">
    <a href="${root}">Portolan</a>
    ${title}
    <label for="token">Access token</label>
    <input
      id="token"
      name="token"
      type="password"
      autocomplete="off"
      spellcheck="false"
      placeholder="portolan token NAME"
    />
    <button type="submit">Use</button>
    <output id="token-state" for="token"></output>
  </form>`;
}
