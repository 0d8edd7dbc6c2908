/** The requests of the last 24 hours, one by one, searched by id, errorId, account, status and duration. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { when } from "../../service/rows/history.ts";
import {
  asked,
  REQUEST_FILTERS,
  showsConsole,
  type LoggedRequest,
  type RequestSearch,
} from "../../service/operation.ts";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Log, LogFilters } from "../../ui/lists/Log.tsx";
import { TableHead } from "../../ui/lists/TableHead.tsx";
import { number, t } from "../../words/words.ts";

export function Requests() {
  return (
    <ForSuperUsers>
      <Asked />
    </ForSuperUsers>
  );
}

function Asked() {
  const search = useSearch({ from: "/requests" });
  const navigate = useNavigate({ from: "/requests" });
  return (
    <Log<LoggedRequest>
      title={t("Requests")}
      hint={t("of the last 24 hours, latest first; under heavy load some are left out")}
      path="/requests"
      search={asked(search)}
      numberOf={({ number }) => number}
      filters={<Filters search={search} onChange={(next) => void navigate({ search: next })} />}
      empty={t("There was no such request.")}
      label={t("What was asked")}
    >
      {(requests) => (
        <table>
          <TableHead
            titles={[t("When"), t("Request"), t("Status"), "ms", t("Account"), t("What was wrong"), t("Id")]}
          />
          <tbody>
            {requests.map((request) => (
              <Row key={request.number} request={request} />
            ))}
          </tbody>
        </table>
      )}
    </Log>
  );
}

const TITLES: Readonly<Record<(typeof REQUEST_FILTERS)[number], readonly [label: string, placeholder: string]>> = {
  id: [t("Request id"), "X-Request-Id"],
  status: [t("Status"), "404, 5xx"],
  code: [t("Code"), "FORBIDDEN"],
  account: [t("Account"), t("any account")],
  errorId: [t("Error id"), t("what the caller was told")],
  ms: [t("Milliseconds"), t("ms, or slower")],
  door: [t("Door"), "graphql, rest, sql, …"],
  relation: [t("Table"), "schema.table"],
  from: [t("From"), "2026-11-27T12:00Z"],
  to: [t("To"), t("an instant")],
};

interface FiltersProps {
  readonly search: RequestSearch;
  readonly onChange: (search: RequestSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const [values, setValues] = useState(search);
  useEffect(() => setValues(search), [search]); // someone may open an address; the field keeps the focus
  return (
    <LogFilters
      isFiltered={Object.keys(search).length > 0}
      onSubmit={() => {
        const given = Object.entries(values).map(([name, value]) => [name, value.trim()] as const);
        onChange(Object.fromEntries(given.filter(([, value]) => value !== "")));
      }}
      onClear={() => onChange({})}
    >
      {REQUEST_FILTERS.map((name) => (
        <Field key={name} label={TITLES[name][0]}>
          <input
            placeholder={TITLES[name][1]}
            spellCheck={false}
            value={values[name] ?? ""}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        </Field>
      ))}
      <label>
        <input
          type="checkbox"
          checked={showsConsole(search)}
          onChange={({ target }) => onChange({ ...search, console: target.checked ? "shown" : "hidden" })}
        />{" "}
        {t("Show the console's own requests")}
      </label>
    </LogFilters>
  );
}

function Row({ request }: { readonly request: LoggedRequest }) {
  const { at, method, path, operation, status, ms, account, address } = request;
  const { code, relation, error, error_id: errorId, id } = request;
  return (
    <tr>
      <td>{when(at)}</td>
      <td className="wide">
        <code>
          {method ?? "WebSocket"} {path}
        </code>
        {operation !== null && <div className="quiet">{operation}</div>}
      </td>
      <td className={(status ?? 0) >= 500 ? "failed" : ""}>{status}</td>
      <td>{ms !== null && number(Math.round(ms))}</td>
      <td>
        {account} <span className="quiet">{address}</span>
      </td>
      <td className="wide">
        {code}
        {relation !== null && ` ${t("on {relation}", { relation })}`} {error}{" "}
        {errorId !== null && <span className="quiet">{t("error id {id}", { id: errorId })}</span>}
      </td>
      <td>
        {id !== null && (
          <Link to="/refused/$id" params={{ id }} title={id}>
            {code === null ? id.slice(0, 8) : t("Why?")}
          </Link>
        )}
      </td>
    </tr>
  );
}
