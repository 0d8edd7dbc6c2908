/** What is served here, and whether it is well. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { schemas, service } from "../../service/address.ts";
import { useAccount } from "../../ui/Shell.tsx";

interface Readiness {
  readonly status: string;
  readonly checks?: Readonly<Record<string, { readonly status: string; readonly reason?: string } | string>>;
}

export function Home() {
  const { data: account } = useAccount();
  const health = useQuery({
    queryKey: ["readyz"],
    queryFn: async ({ signal }) => (await (await fetch(`${service}/readyz`, { signal })).json()) as Readiness,
  });
  const own = schemas[account?.database ?? ""] ?? [];
  return (
    <div className="text">
      <h1>{account?.database}</h1>
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <p>{health.data ? health.data.status : health.isError ? "The service does not answer." : "…"}</p>
        {health.data?.checks && (
          <ul>
            {Object.entries(health.data.checks).map(([name, check]) => (
              <li key={name}>
                {name}: {typeof check === "string" ? check : `${check.status} ${check.reason ?? ""}`}
              </li>
            ))}
          </ul>
        )}
      </section>
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
    </div>
  );
}
