/** `/console/callback`: where `/auth` leads back to after a sign-in on a page of ours. */
import { html, page } from "../kernel/http/html.ts";

export function callbackPage(service: string): string {
  return page({
    title: "Signing in",
    root: "..",
    head: html`<script type="module" src="../assets/signIn.js"></script>`,
    body: html`<body class="page narrow">
      <header>
        <p class="brand"><a href="..">Portolan</a></p>
        <h1>Signing in</h1>
      </header>
      <main>
        <p id="callback" data-service="${service}">One moment …</p>
        <noscript><p class="alert">This page needs JavaScript.</p></noscript>
      </main>
    </body>`,
  });
}
