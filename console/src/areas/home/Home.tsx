/** The served schemas and their state; for super users the health of the service, and findings. */
import { useQuery } from "@tanstack/react-query";
import { Link, type NavigateOptions } from "@tanstack/react-router";
import {
  Braces,
  Check,
  CircleCheck,
  FileUp,
  Map,
  SquareTerminal,
  Table2,
  TriangleAlert,
  UserRoundPlus,
  type LucideIcon,
} from "lucide-react";
import { service } from "../../service/http/address.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { Findings } from "./Findings.tsx";
import { Gateways } from "./Gateways.tsx";
import { Jobs } from "./Jobs.tsx";
import { Sizes } from "./Sizes.tsx";
import { Statements } from "./Statements.tsx";
import { Statistics } from "./Statistics.tsx";
import { ofService, t } from "../../words/words.ts";

interface Readiness {
  readonly status: string;
  readonly checks?: Readonly<Record<string, string>>;
}

export function Home() {
  const { data: account } = useAccount();
  const isSuper = account?.superUser === true;
  return (
    <div className="home">
      <header>
        <h1>{account?.database}</h1>
        <Health />
      </header>
      <Starts isSuper={isSuper} />
      {isSuper && <Findings />}
      {isSuper && <Statistics />}
      {isSuper && <Statements />}
      {isSuper && <Jobs />}
      {isSuper && <Gateways />}
      {isSuper && <Sizes />}
      <Schemas />
    </div>
  );
}

function Health() {
  const { data, isError } = useQuery({
    queryKey: ["readyz"],
    queryFn: async ({ signal }) => (await (await fetch(`${service}/readyz`, { signal })).json()) as Readiness,
  });
  const isWell = data?.status === "ok";
  return (
    <section aria-label={t("Health")} className="health">
      <span className={`mark ${isWell ? "good" : data || isError ? "deny" : ""}`}>
        {(data || isError) && <Icon of={isWell ? CircleCheck : TriangleAlert} size={16} />}
        {data ? (isWell ? t("Healthy") : ofService(data.status)) : isError ? t("The service does not answer") : "…"}
      </span>
      {Object.entries(data?.checks ?? {}).map(([name, state]) => (
        <span key={name} className={`mark ${state === "ok" ? "" : "warn"}`}>
          {state === "ok" && <Icon of={Check} size={14} />}
          {name} {state}
        </span>
      ))}
    </section>
  );
}

interface Start {
  readonly title: string;
  readonly about: string;
  readonly icon: LucideIcon;
  readonly goTo: NavigateOptions;
}

/** Links to common tasks. */
function Starts({ isSuper }: { readonly isSuper: boolean }) {
  const [schema] = useSchemas();
  const toImport: Start[] =
    schema === undefined
      ? []
      : [
          {
            title: t("Import a file"),
            about: t("CSV, GeoJSON, GeoPackage and more"),
            icon: FileUp,
            goTo: { to: "/import/$schema", params: { schema } },
          },
        ];
  const last: Start = isSuper
    ? {
        title: t("Add an account"),
        about: t("Privileges, rules and groups"),
        icon: UserRoundPlus,
        goTo: { to: "/access" },
      }
    : { title: t("Query with GraphQL"), about: t("Every table and relation"), icon: Braces, goTo: { to: "/graphql" } };
  const starts: readonly Start[] = [
    { title: t("Browse data"), about: t("Filter, sort and edit rows"), icon: Table2, goTo: { to: "/data" } },
    ...toImport,
    { title: t("Run SQL"), about: t("Results, plans, charts and maps"), icon: SquareTerminal, goTo: { to: "/sql" } },
    { title: t("Style a map"), about: t("Classes, labels and points in time"), icon: Map, goTo: { to: "/workspace" } },
    last,
  ];
  return (
    <nav aria-label={t("Start with")} className="starts">
      {starts.map(({ title, about, icon, goTo }) => (
        <Link key={title} {...goTo}>
          <Icon of={icon} size={22} />
          <strong>{title}</strong>
          <span className="quiet">{about}</span>
        </Link>
      ))}
    </nav>
  );
}

function Schemas() {
  const own = useSchemas();
  return (
    <section aria-labelledby="schemas" className="card">
      <h2 id="schemas">{t("Schemas")}</h2>
      {own.length === 0 ? (
        <p>{t("No schema is exposed: name one with the option schemas.")}</p>
      ) : (
        <ul className="parts">
          {own.map((schema) => (
            <li key={schema}>
              <Link to="/data" hash={schema}>
                {schema}
              </Link>{" "}
              · <a href={`${service}/graphiql/${encodeURIComponent(schema)}`}>GraphiQL</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
