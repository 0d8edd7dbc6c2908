/** An error as a page, for a browser. */
import { html, page } from "./html.ts";
import type { Problem } from "../../ground/errors.ts";

/** Addresses that people visit with a browser, in lower case. */
export interface ForPeople {
  /** Their beginning: `/api/v4/maps/`. */
  readonly below: string;
  /** The page of a database among them: `/api/v4/maps/{database}`. */
  readonly ofDatabase: string;
}

/**
 * `url`: path and query of the request, from which the address of the service follows, behind a proxy too; `prefix`: the path of
 * that address as people know it, without its last slash.
 */
export function problemPage(
  { title, status, detail, code, errorId }: Problem,
  url: string,
  { prefix, forPeople }: { readonly prefix: string; readonly forPeople: readonly ForPeople[] },
): string {
  const path = url.split(/[?#]/, 1)[0]!;
  const up = "../".repeat(Math.max(0, path.split("/").length - 2)) || "./";
  const [database, name, below] = forPeople.map(({ ofDatabase }) => databaseIn(path, ofDatabase)).find(Boolean) ?? [];
  const way = new URLSearchParams({ ...(name && { database: unescaped(name) }), return_to: prefix + url });
  return page({
    title: `${status} ${title}`,
    root: up.slice(0, -1),
    body: html`<body class="page">
      <header>
        <p class="brand"><a href="${up}">Portolan</a></p>
        <h1>${title}</h1>
      </header>
      <main>
        <p class="alert">${detail}</p>
        ${status === 401 && html`<p><a href="${up}signin?${way.toString()}">Sign in</a> with name and password.</p>`}
        <ul class="links">
          ${below !== undefined && html`<li><a href="${up}${database}">All of this database</a></li>`}
          <li><a href="${up}">What runs here</a></li>
        </ul>
        <p class="quiet">${status} ${code}${errorId !== undefined && html`, ${errorId}`}</p>
      </main>
    </body>`,
  });
}

/** The path of the page of the database without the first slash, its name, and the beginning of the rest. */
function databaseIn(path: string, template: string): readonly (string | undefined)[] | undefined {
  const [before = "", after = ""] = template.slice(1).split("{database}");
  return new RegExp(`^/(${before}([^/]+)${after})(/.)?`, "i").exec(path)?.slice(1);
}

/** Decodes a name. One that cannot be decoded stays as it is; the page shows the error. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
