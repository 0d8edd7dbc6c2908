/** `/events`: choose a table and see its changes arrive. `assets/events.js` reads everything as the token's account. */
import { html, page } from "../kernel/http/html.ts";
import { signInButton, tokenInput } from "./tokenBar.ts";

export function eventsPage(schemas: readonly string[], service: string): string {
  return page({
    title: "Events",
    root: ".",
    head: html`<script type="module" src="assets/signIn.js"></script>
      <script type="module" src="assets/events.js"></script>`,
    body: html`<body class="page events-page">
      <header>
        <p class="brand"><a href=".">Portolan</a></p>
        <h1>Events</h1>
        <p>What is written to a table, as it is committed, for the account that you are.</p>
      </header>
      <main>
        <form id="choice" class="choice">
          <div class="field token">
            <label for="token">Access token</label>
            <div class="beside">
              ${tokenInput(html`required aria-describedby="token-error"`)} ${signInButton(service)}
            </div>
            <p class="error" id="token-error" hidden></p>
          </div>
          <div class="field">
            <label for="schema">Schema</label>
            <select id="schema" name="schema">
              ${schemas.map((schema) => html`<option>${schema}</option>`)}
            </select>
          </div>
          <div class="field">
            <label for="table">Table</label>
            <select id="table" name="table" disabled>
              <option value="">after the token</option>
            </select>
          </div>
          <div class="field">
            <label for="where">Only where</label>
            <input id="where" name="where" autocomplete="off" spellcheck="false" placeholder="name like 'A%'" />
          </div>
          <div class="buttons">
            <button type="submit" id="follow">Follow</button>
            <button type="button" id="stop" class="second" disabled>Stop</button>
            <button type="button" id="clear" class="second">Clear</button>
          </div>
        </form>
        <p id="state" role="status">Not connected.</p>
        <ol id="events" class="event-list" aria-label="Events, the newest first" reversed></ol>
        <noscript><p class="alert">This page needs JavaScript; the WebSocket that it uses does not.</p></noscript>
      </main>
    </body>`,
  });
}
