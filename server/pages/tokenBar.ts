import { html, type Html } from "../kernel/http/html.ts";

/** The field for a token on a page; `attributes`: further ones. */
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

/** Signs in at `/auth` and fills the field for the token. `service`: the address of the service; `assets/signIn.js` does it. */
export function signInButton(service: string): Html {
  return html`<button type="button" id="sign-in" class="second" data-service="${service}">Sign in</button>`;
}

export interface TokenBar {
  /** The address of the landing page, relative to this one. */
  readonly root: string;
  /** The address of the service. */
  readonly service: string;
  /** The title and explanation of the page. */
  readonly title: Html;
}

/** The head of a page that asks as an account. The page's script hears of the token, and enables the button then. */
export function tokenBar({ root, service, title }: TokenBar): Html {
  return html`<form class="token-bar" id="token-bar">
    <a href="${root}">Portolan</a>
    ${title}
    <label for="token">Access token</label>
    ${tokenInput()}
    <button type="submit" disabled>Use</button>
    ${signInButton(service)}
    <output id="token-state" for="token"></output>
  </form>`;
}
