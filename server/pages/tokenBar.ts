import { html, type Html } from "../kernel/http/html.ts";

/** Where a page takes its token; `attributes`: further ones. */
export function tokenInput(attributes?: Html): Html {
  return html`<input
    id="token"
    name="token"
    type="password"
    autocomplete="off"
    spellcheck="false"
    placeholder="portolan token NAME"
    ${attributes}
  />`;
}

/** The head of a page that asks as an account. `root`: the address of the landing page; `title` says what the page is. */
export function tokenBar(root: string, title: Html): Html {
  return html`<form class="token-bar" id="token-bar">
    <a href="${root}">Portolan</a>
    ${title}
    <label for="token">Access token</label>
    ${tokenInput()}
    <button type="submit">Use</button>
    <output id="token-state" for="token"></output>
  </form>`;
}
