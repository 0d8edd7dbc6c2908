/** The frame of all pages: location, account and navigation. */
import { Database, Eye, Languages, LogOut, Monitor, Moon, Search as SearchIcon, Sun, UserRound } from "lucide-react";
import { Link, Outlet, useLocation, useMatches, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type MouseEvent } from "react";
import { schemas, version } from "../../service/http/address.ts";
import { signedOut } from "../../service/http/ask.ts";
import { changeDatabase, seeAs, signIn, signInEnd, signOut } from "../../service/http/session.ts";
import { AREAS } from "./areas.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { Mark } from "../Mark.tsx";
import { Icon } from "../Icon.tsx";
import { chooseTheme, onThemeChange, themeNow, THEMES } from "../theme.ts";
import { chooseSchema, useAllSchemas, useSchemas } from "../schemas.ts";
import { useAccount } from "../hooks/useAccount.ts";
import { chooseLanguage, language, LANGUAGES, t, type Language } from "../../words/words.ts";
import { parts } from "../../words/parts.ts";

const Search = lazy(async () => ({ default: (await import("./Search.tsx")).Search }));
const Shortcuts = lazy(async () => ({ default: (await import("./Shortcuts.tsx")).Shortcuts }));

export function Shell() {
  const account = useAccount();
  useTitle();
  const isOnTheWay = useRouterState({ select: ({ isLoading }) => isLoading });
  if (account.isPending) return <p className="empty">{t("One moment …")}</p>;
  if (!account.data) return <Welcome error={account.error} />;
  const { sub, database, superUser = false, act } = account.data;
  return (
    <div className={act ? "shell seeing" : "shell"}>
      <a className="skip" href="#content" onClick={skipToContent}>
        {t("Skip to content")}
      </a>
      {act && <SeenAs account={sub} />}
      <header className="bar">
        <Link to="/" className="brand">
          <Mark size={22} />
          <span>Portolan</span>
        </Link>
        <DatabaseSwitch database={database} />
        <SchemaSwitch />
        <Finder />
        <span className="account">
          <LanguageSwitch />
          <ThemeSwitch />
          <Link to="/account">
            <Icon of={UserRound} size={16} />
            {sub}
          </Link>
          <button type="button" className="plain leave" onClick={() => void signOut(database)}>
            <Icon of={LogOut} size={16} />
            <span>{t("Sign out")}</span>
          </button>
        </span>
      </header>
      <Areas isSuper={superUser} />
      <div className="stage">
        <SignInAgain />
        <main id="content" tabIndex={-1} aria-busy={isOnTheWay}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** A note above every page while a super user sees as another account. */
function SeenAs({ account }: { readonly account: string }) {
  return (
    <section className="seen-as" aria-label={t("See as")}>
      <span>
        <Icon of={Eye} size={16} />
        <span>
          {parts("You see everything as {account} does, and change nothing.", { account: <strong>{account}</strong> })}
        </span>
      </span>
      <button type="button" onClick={() => void seeAs(undefined, location.href)}>
        {t("Be yourself again")}
      </button>
    </section>
  );
}

/** Sets the title of the open page and its area, for tabs, history and bookmarks of the browser. */
function useTitle(): void {
  const title = useMatches({
    select: (matches) => {
      if (matches.some(({ _notFound = false }) => _notFound)) return `${t("There is no such page.")} · Portolan`;
      const { fullPath = "", params = {}, staticData } = matches.at(-1) ?? {};
      const area = AREAS.find(({ to }) => fullPath.startsWith(to))?.title;
      const { schema, table, method, account, name } = params as Readonly<Record<string, string | undefined>>;
      const open = table ?? method ?? account ?? name ?? schema;
      return [open, staticData?.title ?? area, "Portolan"].filter((part) => part !== undefined).join(" · ");
    },
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Moves the focus to the content, past an area's list, which may be long. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  (document.querySelector<HTMLElement>("#content > .sided > .content") ?? document.getElementById("content"))?.focus();
}

/** The navigation. On a narrow page it scrolls, so that the open area is visible. */
function Areas({ isSuper }: { readonly isSuper: boolean }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const open = useMatches({ select: (matches) => matches.at(-1)?.staticData.area });
  useEffect(() => {
    nav.current?.querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav aria-label={t("Areas")} className="rail" ref={nav}>
      {AREAS.filter((area) => isSuper || !area.isForSuperUsers).map(({ to, title, icon, isFirst = false }) => (
        <Link
          key={to}
          to={to}
          className={isFirst ? "first" : ""}
          {...(to === open && { className: isFirst ? "first active" : "active", "aria-current": "page" })}
        >
          <Icon of={icon} size={20} />
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** A note that the sign-in has ended. After signing in, the browser returns to the same page. */
function SignInAgain() {
  return (
    <ErrorNote isFrame error={useSyncExternalStore(signInEnd.subscribe, signInEnd.hasCome) ? signedOut() : null} />
  );
}

/** Whether a key types text into the focused element. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Opens the search by Ctrl-K or a button, and the list of keys by `?`. */
function Finder() {
  const [open, setOpen] = useState<"search" | "shortcuts">();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isCtrl = event.ctrlKey || event.metaKey;
      const isSearch = event.key.toLowerCase() === "k" && isCtrl && !event.shiftKey && !event.altKey;
      const isList = event.key === "?" && !isCtrl && !event.altKey && !isTyping(event);
      if (!isSearch && !isList) return;
      event.preventDefault();
      // content of an open dialog must not be lost
      if (document.querySelector("dialog[open]") === null) setOpen(isSearch ? "search" : "shortcuts");
    };
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
  const onClose = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" className="finder" aria-keyshortcuts="Control+K" onClick={() => setOpen("search")}>
        <Icon of={SearchIcon} size={16} />
        <span>{t("Search")}</span> <kbd>{t("Ctrl K")}</kbd>
      </button>
      {open && (
        <Suspense>{open === "search" ? <Search onClose={onClose} /> : <Shortcuts onClose={onClose} />}</Suspense>
      )}
    </>
  );
}

const THEME_TITLES = { system: t("Theme: system"), light: t("Theme: light"), dark: t("Theme: dark") } as const;
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

/** Switches to the next theme with each press. */
function ThemeSwitch() {
  const theme = useSyncExternalStore(onThemeChange, themeNow);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const title = THEME_TITLES[theme];
  return (
    <button type="button" className="plain" aria-label={title} title={title} onClick={() => chooseTheme(next)}>
      <Icon of={THEME_ICONS[theme]} size={16} />
    </button>
  );
}

/** Switches to the next language with each press. */
function LanguageSwitch() {
  const all = Object.keys(LANGUAGES) as Language[];
  const next = all[(all.indexOf(language) + 1) % all.length]!;
  const title = t("Language: {language}", { language: LANGUAGES[language] });
  return (
    <button type="button" className="plain" aria-label={title} title={title} onClick={() => chooseLanguage(next)}>
      <Icon of={Languages} size={16} />
    </button>
  );
}

/** Chooses the schema of lists, if there are several. */
function SchemaSwitch() {
  const all = useAllSchemas();
  const shown = useSchemas();
  if (all.length < 2) return null;
  return (
    <select
      aria-label={t("Schemas that lists show")}
      value={shown.length === 1 ? shown[0] : ""}
      onChange={({ target }) => chooseSchema(target.value === "" ? undefined : target.value)}
    >
      <option value="">{t("all schemas")}</option>
      {all.map((schema) => (
        <option key={schema}>{schema}</option>
      ))}
    </select>
  );
}

/** Signs in to another database, if there are several. */
function DatabaseSwitch({ database }: { readonly database: string }) {
  const all = [...new Set([...Object.keys(schemas), database])];
  if (all.length < 2)
    return (
      <span className="database">
        <Icon of={Database} size={16} />
        {database}
      </span>
    );
  return (
    <select aria-label={t("Database")} value={database} onChange={({ target }) => void changeDatabase(target.value)}>
      {all.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

function Welcome({ error }: { readonly error: Error | null }) {
  return (
    <main className="welcome">
      <div>
        <Mark size={56} />
        <h1>Portolan</h1>
        <p>{t("Your data, under your own rights: tables, maps, SQL, methods and events.")}</p>
        <ErrorNote error={error} />
        <button type="button" onClick={() => void signIn()}>
          {t("Sign in")}
        </button>
        <p className="quiet">
          {t("{schemas} · version {version}", { schemas: Object.keys(schemas).join(", "), version })}
        </p>
      </div>
    </main>
  );
}
