/** `/`: the databases of this service, and links to everything. */
import { html, page, type Html } from "../kernel/http/html.ts";

export interface Served {
  readonly name: string;
  readonly schemas: readonly string[];
}

export interface LandingOptions {
  readonly baseUrl: string;
  readonly version: string;
  readonly graphiql: boolean;
  readonly databases: readonly Served[];
}

export function landingPage({ baseUrl, version, graphiql, databases }: LandingOptions): string {
  return page({
    title: "Portolan",
    root: ".",
    body: html`<body class="page">
      <header>
        <h1>Portolan</h1>
        <p>This service gives access to a PostgreSQL database under the rights that the database itself knows.</p>
      </header>
      <main>
        ${databases.map((database) => describe(database, graphiql))}
        <section aria-labelledby="request">
          <h2 id="request">A request</h2>
          <pre tabindex="0"><code>curl ${baseUrl}/api/graphql/schema/${databases[0]?.schemas[0] ?? "SCHEMA"} \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"query":"{ __typename }"}'</code></pre>
        </section>
        <section aria-labelledby="more">
          <h2 id="more">More</h2>
          <ul class="links">
            <li><a href="console">Console</a></li>
            <li><a href="methods">Stored methods</a></li>
            <li><a href="api/v4/openapi.json">OpenAPI</a></li>
          </ul>
        </section>
        <section aria-labelledby="operation">
          <h2 id="operation">Operation</h2>
          <ul class="links">
            <li><a href="events">Events as they arrive</a></li>
            <li><a href="ping">Ping</a></li>
            <li><a href="livez">Liveness</a></li>
            <li><a href="readyz">Readiness</a></li>
            <li><a href="metrics">Metrics</a></li>
          </ul>
        </section>
      </main>
      <footer><p>Portolan ${version}</p></footer>
    </body>`,
  });
}

function describe({ name, schemas }: Served, graphiql: boolean): Html {
  return html`<section aria-labelledby="database-${name}">
    <h2 id="database-${name}">Database ${name}</h2>
    ${
      schemas.length === 0
        ? html`<p>No schema is exposed.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Schema</th>
                <th scope="col">GraphQL endpoint</th>
                ${graphiql && html`<th scope="col">Try it</th>`}
              </tr>
            </thead>
            <tbody>
              ${schemas.map((schema) => {
                const path = encodeURIComponent(schema);
                return html`<tr>
                  <th scope="row">${schema}</th>
                  <td class="path"><code>/api/graphql/schema/${path}</code></td>
                  ${graphiql && html`<td><a href="graphiql/${path}">GraphiQL</a></td>`}
                </tr>`;
              })}
            </tbody>
          </table>`
    }
    <p>
      Features and maps of the database:
      <a href="api/v4/ogc/database/${encodeURIComponent(name)}">/api/v4/ogc/database/${name}</a>
    </p>
  </section>`;
}
