/** The served schemas and their state; for super users the health of the service, and findings. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { service } from "../../service/http/address.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useSchemas } from "../../ui/schemas.ts";
import { Findings } from "./Findings.tsx";
import { Gateways } from "./Gateways.tsx";
import { Jobs } from "./Jobs.tsx";
import { Sizes } from "./Sizes.tsx";
import { Statements } from "./Statements.tsx";
import { Statistics } from "./Statistics.tsx";

interface Readiness {
  readonly status: string;
  readonly checks?: Readonly<Record<string, string>>;
}

export function Home() {
  const { data: account } = useAccount();
  const isSuper = account?.superUser === true;
  return (
    <div className="home">
      <h1>{account?.database}</h1>
      <Health />
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
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      <p>
        {data ? (data.status === "ok" ? "All is well" : data.status) : isError ? "The service does not answer." : "…"}
        {data?.checks && (
          <span className="quiet">
            {": "}
            {Object.entries(data.checks)
              .map(([name, state]) => `${name} ${state}`)
              .join(", ")}
          </span>
        )}
      </p>
    </section>
  );
}

function Schemas() {
  const own = useSchemas();
  return (
    <section aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      {own.length === 0 ? (
        <p>No schema is exposed: name one with the option schemas.</p>
      ) : (
        <ul>
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
