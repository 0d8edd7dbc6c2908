/** Requests of the last 24 hours one by one: found by id, by errorId, by account, status and duration. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { when } from "../../service/rows/history.ts";
import { REQUEST_FILTERS, type LoggedRequest, type RequestSearch } from "../../service/operation.ts";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { Log, LogFilters } from "../../ui/lists/Log.tsx";
import { TableHead } from "../../ui/lists/TableHead.tsx";

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
      title="Requests"
      hint="of the last 24 hours, latest first; under load not all of them"
      path="/requests"
      search={{ ...search }}
      numberOf={({ number }) => number}
      filters={<Filters search={search} onChange={(next) => void navigate({ search: next })} />}
      empty="There was no such request."
      label="What was asked"
    >
      {(requests) => (
        <table>
          <TableHead titles={["When", "Request", "Status", "ms", "Account", "What was wrong", "Id"]} />
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

const TITLES: Readonly<Record<keyof RequestSearch, readonly [label: string, placeholder: string]>> = {
  id: ["Request id", "X-Request-Id"],
  status: ["Status", "404, 5xx"],
  code: ["Code", "FORBIDDEN"],
  account: ["Account", "any account"],
  errorId: ["Error id", "what the caller was told"],
  ms: ["Milliseconds", "ms, or slower"],
  door: ["Door", "graphql, rest, sql, …"],
  relation: ["Table", "schema.table"],
  from: ["From", "2026-11-27T12:00Z"],
  to: ["To", "an instant"],
};

interface FiltersProps {
  readonly search: RequestSearch;
  readonly onChange: (search: RequestSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const [values, setValues] = useState(search);
  useEffect(() => setValues(search), [search]); // an address that somebody opens; the field keeps the focus
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
        <input
          key={name}
          aria-label={TITLES[name][0]}
          placeholder={TITLES[name][1]}
          spellCheck={false}
          value={values[name] ?? ""}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      ))}
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
      <td>{ms !== null && Math.round(ms).toLocaleString()}</td>
      <td>
        {account} <span className="quiet">{address}</span>
      </td>
      <td className="wide">
        {code}
        {relation !== null && ` on ${relation}`} {error}{" "}
        {errorId !== null && <span className="quiet">error id {errorId}</span>}
      </td>
      <td>
        {id !== null && (
          <Link to="/refused/$id" params={{ id }} title={id}>
            {code === null ? id.slice(0, 8) : "Why?"}
          </Link>
        )}
      </td>
    </tr>
  );
}
