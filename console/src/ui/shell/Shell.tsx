/** The frame: where one is, who one is, and the way to everything else. */
import { Link, Outlet, useLocation, useMatches, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type MouseEvent } from "react";
import { schemas, version } from "../../service/http/address.ts";
import { signedOut } from "../../service/http/ask.ts";
import { changeDatabase, signIn, signInEnd, signOut } from "../../service/http/session.ts";
import { AREAS } from "./areas.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { chooseSchema, useAllSchemas, useSchemas } from "../schemas.ts";
import { useAccount } from "../hooks/useAccount.ts";

const Search = lazy(async () => ({ default: (await import("./Search.tsx")).Search }));

export function Shell() {
  const account = useAccount();
  useTitle();
  const isOnTheWay = useRouterState({ select: ({ isLoading }) => isLoading });
  if (account.isPending) return <p className="empty">One moment …</p>;
  if (!account.data) return <Welcome error={account.error} />;
  const { sub, database, superUser = false } = account.data;
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={skipToContent}>
        To the content
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          Portolan
        </Link>
        <Areas isSuper={superUser} />
        <Finder />
        <SchemaSwitch />
        <span className="account">
          <Link to="/account">{sub}</Link> <DatabaseSwitch database={database} />
          <button type="button" className="plain" onClick={() => void signOut(database)}>
            Sign out
          </button>
        </span>
      </header>
      <SignInAgain />
      <main id="content" tabIndex={-1} aria-busy={isOnTheWay}>
        <Outlet />
      </main>
    </div>
  );
}

/** The title of the open page and its area, for tabs, history and bookmarks of the browser. */
function useTitle(): void {
  const title = useMatches({
    select: (matches) => {
      const { fullPath = "", params = {}, staticData } = matches.at(-1) ?? {};
      const area = AREAS.find(({ to }) => fullPath.startsWith(to))?.title;
      const { schema, table, method, account } = params as Readonly<Record<string, string | undefined>>;
      const open = table ?? method ?? account ?? schema;
      return [open, staticData?.title ?? area, "Portolan"].filter((part) => part !== undefined).join(" · ");
    },
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Beside the list of an area where it has one, which may be long. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  (document.querySelector<HTMLElement>("#content > .sided > .content") ?? document.getElementById("content"))?.focus();
}

/** On a narrow page they scroll, and the one that is open is in sight. */
function Areas({ isSuper }: { readonly isSuper: boolean }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const open = useMatches({ select: (matches) => matches.at(-1)?.staticData.area });
  useEffect(() => {
    nav.current?.querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav aria-label="Areas" ref={nav}>
      {AREAS.filter((area) => isSuper || !area.isForSuperUsers).map(({ to, title }) => (
        <Link key={to} to={to} {...(to === open && { className: "active", "aria-current": "page" })}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** Shown where the sign-in has ended meanwhile. The browser returns to the same page. */
function SignInAgain() {
  return (
    <ErrorNote isFrame error={useSyncExternalStore(signInEnd.subscribe, signInEnd.hasCome) ? signedOut() : null} />
  );
}

/** Ctrl-K, or the button, from everywhere. */
function Finder() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) setOpen(true); // what stands in a dialog is not left behind
    };
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <Search onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Where there are several schemas: which of them lists show. */
function SchemaSwitch() {
  const all = useAllSchemas();
  const shown = useSchemas();
  if (all.length < 2) return null;
  return (
    <select
      aria-label="Schemas that lists show"
      value={shown.length === 1 ? shown[0] : ""}
      onChange={({ target }) => chooseSchema(target.value === "" ? undefined : target.value)}
    >
      <option value="">all schemas</option>
      {all.map((schema) => (
        <option key={schema}>{schema}</option>
      ))}
    </select>
  );
}

/** Where there are several databases: signs in to another. */
function DatabaseSwitch({ database }: { readonly database: string }) {
  const all = [...new Set([...Object.keys(schemas), database])];
  if (all.length < 2) return <span className="quiet">on {database}</span>;
  return (
    <select aria-label="Database" value={database} onChange={({ target }) => void changeDatabase(target.value)}>
      {all.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

function Welcome({ error }: { readonly error: Error | null }) {
  return (
    <main className="welcome">
      <h1>Portolan</h1>
      <p>
        {Object.keys(schemas).join(", ")} · version {version}
      </p>
      <ErrorNote error={error} />
      <button type="button" onClick={() => void signIn()}>
        Sign in
      </button>
    </main>
  );
}
