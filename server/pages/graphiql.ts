/** `/graphiql/{schema}`: an editor for one schema, with a field for the token. Everything it loads is served by us. */
import { html, page } from "../kernel/http/html.ts";
import { tokenBar } from "./tokenBar.ts";

/** The editor is drawn by `assets/graphiql.js`; it reads the endpoint from the page. */
export function graphiqlPage(schema: string, service: string): string {
  return page({
    title: `GraphiQL: ${schema}`,
    root: "..",
    head: html`<link rel="stylesheet" href="static/ruru.css" />
      <script type="module" src="../assets/signIn.js"></script>
      <script type="module" src="../assets/graphiql.js"></script>`,
    body: html`<body class="graphiql-page">
      ${tokenBar({ root: "..", service, title: html`<span class="schema">${schema}</span>` })}
      <div id="ruru-root" data-endpoint="../api/graphql/schema/${encodeURIComponent(schema)}" data-static="static/">
        <noscript><p>The editor needs JavaScript; the endpoint does not.</p></noscript>
      </div>
    </body>`,
  });
}
