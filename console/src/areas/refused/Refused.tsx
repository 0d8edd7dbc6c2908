/** The reasons why a request was refused: what refused it, in the words of the service, and who can change that. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { setPrivilege } from "../../service/access.ts";
import { explainedRequest, type ExplainedRequest } from "../../service/operation.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ofService, t } from "../../words/words.ts";

type Failure = ExplainedRequest["failures"][number];

const SAID_NO = {
  grant: t("A grant is missing."),
  rule: t("A rule denies it."),
  policy: t("A policy of row security does not allow the row."),
  workflow: t("The workflow of the table needs another role."),
} as const;

export function Refused() {
  const { id } = useParams({ from: "/refused/$id" });
  const { data, error } = useQuery(explainedRequest(id));
  const isSuper = useAccount().data?.superUser === true;
  return (
    <section aria-label={t("Why refused")} className="refused">
      <div className="head">
        <h1>{t("Why refused")}</h1>
        {isSuper && <Link to="/requests">{t("All requests")}</Link>}
      </div>
      <ErrorNote error={error} />
      {data && (
        <>
          {data.failures.length === 0 && <p className="empty">{t("Nothing was wrong with this request.")}</p>}
          {data.failures.map((failure, index) => (
            <Why key={index} failure={failure} request={data} isSuper={isSuper} />
          ))}
          <About request={data} />
        </>
      )}
    </section>
  );
}

function About({ request }: { readonly request: ExplainedRequest }) {
  const { method, path, operation, account, status, at, door, id } = request;
  return (
    <dl className="about">
      <dt>{t("Request")}</dt>
      <dd>
        <code>
          {method ?? "WebSocket"} {path}
        </code>{" "}
        {operation}
      </dd>
      <dt>{t("Account")}</dt>
      <dd>{account ?? t("nobody was signed in")}</dd>
      <dt>{t("When")}</dt>
      <dd>{when(at)}</dd>
      <dt>{t("Door")}</dt>
      <dd>
        {door}
        {status !== null && t(", answered with {status}", { status })}
      </dd>
      <dt>{t("Id")}</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  );
}

interface WhyProps {
  readonly failure: Failure;
  readonly request: ExplainedRequest;
  readonly isSuper: boolean;
}

function Why({ failure, request, isSuper }: WhyProps) {
  const { decided_by: by, code, error, reasons, may_change: mayChange, super_users: supers } = failure;
  const relation = failure.table === null ? failure.relation : `${failure.schema}.${failure.table}`;
  return (
    <article className="why">
      <h2>
        {by === null ? code : SAID_NO[by]}{" "}
        {relation !== null && <Relation failure={failure} name={relation} isSuper={isSuper} />}
      </h2>
      {error !== null && <p>{error}</p>}
      {reasons.length > 0 && (
        <ul className="reasons">
          {reasons
            .toSorted((one, other) => Number(other.decides) - Number(one.decides))
            .map(({ subject, name, applies, meaning, decides }, index) => (
              <li key={index} className={decides ? "decides" : "quiet"}>
                {decides ? (
                  <span className="mark deny">{by === "grant" ? t("missing") : t("says no")}</span>
                ) : (
                  <span className="mark">{ofService(applies)}</span>
                )}
                <span className="reason">
                  <span className="quiet">{ofService(subject)}</span> <strong>{name}</strong>
                  {decides && by !== "grant" && ` ${ofService(applies)}`}
                  {meaning !== "" && `: ${ofService(meaning)}`}
                </span>
              </li>
            ))}
        </ul>
      )}
      {mayChange !== null && (
        <p>
          {t("This can be changed by {accounts}", { accounts: ofService(mayChange) })}
          {supers && supers.length > 0 && `: ${supers.join(", ")}`}.
        </p>
      )}
      {isSuper && by !== null && request.account !== null && (
        <Change by={by} failure={failure} account={request.account} id={request.id ?? ""} />
      )}
    </article>
  );
}

interface RelationProps {
  readonly failure: Failure;
  readonly name: string;
  readonly isSuper: boolean;
}

/** The name of the relation; of a known table a link to its rows, or for super users to its definition and policies. */
function Relation({ failure: { schema, table }, name, isSuper }: RelationProps) {
  if (schema === null || table === null) return <code>{name}</code>;
  return (
    <Link to={isSuper ? "/schema/$schema/$table" : "/data/$schema/$table"} params={{ schema, table }}>
      <code>{name}</code>
    </Link>
  );
}

interface ChangeProps {
  readonly by: NonNullable<Failure["decided_by"]>;
  readonly failure: Failure;
  readonly account: string;
  readonly id: string;
}

function Change({ by, failure, account, id }: ChangeProps) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const { schema, table, reasons } = failure;
  const on = schema === null || table === null ? {} : { schema, table };
  const isMissing = (...names: string[]): boolean =>
    reasons.some(({ name, decides }) => decides && names.includes(name));
  const missing = isMissing("select") ? "read" : isMissing("insert", "update", "delete") ? "write" : undefined;

  async function grant(privilege: "read" | "write"): Promise<void> {
    await setPrivilege({ schema: schema!, table: table! }, account, privilege);
    await client.invalidateQueries({ queryKey: ["requests", id] });
  }

  return (
    <p className="actions">
      {by === "grant" && table !== null && missing && (
        <button type="button" aria-disabled={isBusy} onClick={() => void run(() => grant(missing))}>
          {missing === "read"
            ? t("Let {account} read {table}", { account, table })
            : t("Let {account} write {table}", { account, table })}
        </button>
      )}
      {by === "rule" && <Link to="/access/rules">{t("Open the rules")}</Link>}
      {by === "grant" && (
        <Link to="/access/privileges" search={on}>
          {t("Open the privileges")}
        </Link>
      )}
      {by === "policy" && schema !== null && table !== null && (
        <Link to="/schema/$schema/$table" params={{ schema, table }}>
          {t("Open the policies of {table}", { table })}
        </Link>
      )}
      <Link to="/access/see" search={{ account, ...on }}>
        {t("See as {account}", { account })}
      </Link>
      <ErrorNote error={error} />
    </p>
  );
}
