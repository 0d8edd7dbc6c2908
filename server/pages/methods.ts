/** `/methods`: the stored methods that an account may call, with a form to try each. */
import { html, page } from "../kernel/http/html.ts";
import { tokenBar } from "./tokenBar.ts";

/** The page is drawn by `assets/methods.js`, with the token that is typed into it. */
export function methodsPage(service: string): string {
  return page({
    title: "Stored methods",
    root: ".",
    head: html`<link rel="stylesheet" href="./assets/methods.css" />
      <script type="module" src="./assets/signIn.js"></script>
      <script type="module" src="./assets/methods.js"></script>`,
    body: html`<body class="methods-page">
      <header>${tokenBar({ root: ".", service, title: html`<h1 class="schema">Stored methods</h1>` })}</header>
      <div class="methods">
        <nav aria-label="Methods">
          <ul id="list"></ul>
          <p id="none" class="quiet" hidden>No method may be called by this account.</p>
        </nav>
        <main id="method" tabindex="-1">
          <p class="quiet">With an access token, the methods of its account are listed here.</p>
          <noscript><p>This page needs JavaScript; the methods do not.</p></noscript>
        </main>
      </div>
    </body>`,
  });
}
