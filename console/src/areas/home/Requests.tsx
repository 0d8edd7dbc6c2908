/** Requests of the last 24 hours one by one: found by their id, by what the caller was told of an error, by who, how and how long. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { when } from "../../service/history.ts";
import { REQUEST_FILTERS, type LoggedRequest, type RequestSearch } from "../../service/operation.ts";
import { read } from "../../service/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { TableHead } from "../../ui/TableHead.tsx";

const PAGE = 100;

export function Requests() {
  return (
    <ForSuperUsers>
      <Log />
    </ForSuperUsers>
  );
}

function Log() {
  const search = useSearch({ from: "/requests" });
  const navigate = useNavigate({ from: "/requests" });
  const found = useInfiniteQuery({
    queryKey: ["requests", search],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({
        ...search,
        limit: String(PAGE),
        ...(pageParam !== undefined && { before: String(pageParam) }),
      });
      return read<readonly LoggedRequest[]>(`/requests?${parameters}`, signal);
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.number),
  });
  const all = found.data?.pages.flat() ?? [];
  return (
    <section className="relation" aria-label="Requests">
      <div className="head">
        <h1>Requests</h1>
        <span className="quiet">of the last 24 hours, latest first; under load not all of them</span>
        <span className="tools">
          <button type="button" disabled={found.isFetching} onClick={() => void found.refetch()}>
            Reload
          </button>
        </span>
      </div>
      <Filters key={JSON.stringify(search)} search={search} onChange={(next) => void navigate({ search: next })} />
      <ErrorNote error={found.error} />
      {found.data && all.length === 0 && <p className="empty">There was no such request.</p>}
      {all.length > 0 && (
        <div className="scroll" role="region" aria-label="What was asked" tabIndex={0}>
          <table>
            <TableHead titles={["When", "Request", "Status", "ms", "Account", "What was wrong", "Id"]} />
            <tbody>
              {all.map((request) => (
                <Row key={request.number} request={request} />
              ))}
            </tbody>
          </table>
          {found.hasNextPage && (
            <button type="button" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Earlier
            </button>
          )}
        </div>
      )}
    </section>
  );
}

const TITLES: Readonly<Record<keyof RequestSearch, readonly [label: string, placeholder: string]>> = {
  id: ["Request id", "X-Request-Id"],
  status: ["Status", "404, 5xx"],
  account: ["Account", "any account"],
  errorId: ["Error id", "what the caller was told"],
  ms: ["Milliseconds", "took so many ms, or more"],
};

interface FiltersProps {
  readonly search: RequestSearch;
  readonly onChange: (search: RequestSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const [values, setValues] = useState(search);
  return (
    <form
      className="filter"
      role="search"
      aria-label="Filter"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        const given = Object.entries(values).map(([name, value]) => [name, value.trim()] as const);
        onChange(Object.fromEntries(given.filter(([, value]) => value !== "")));
      }}
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
      <button type="submit">Filter</button>
      {Object.keys(search).length > 0 && (
        <button type="button" className="plain" onClick={() => onChange({})}>
          Show all
        </button>
      )}
    </form>
  );
}

function Row({ request }: { readonly request: LoggedRequest }) {
  const { at, method, path, status, ms, account, address, code, error, error_id: errorId, id } = request;
  return (
    <tr>
      <td>{when(at)}</td>
      <td className="wide">
        <code>
          {method ?? "WebSocket"} {path}
        </code>
      </td>
      <td className={(status ?? 0) >= 500 ? "failed" : ""}>{status}</td>
      <td>{ms !== null && Math.round(ms).toLocaleString()}</td>
      <td>
        {account} <span className="quiet">{address}</span>
      </td>
      <td className="wide">
        {code} {error} {errorId !== null && <span className="quiet">error id {errorId}</span>}
      </td>
      <td>
        {id !== null && (
          <Link to="/requests" search={{ id }}>
            {id.slice(0, 8)}
          </Link>
        )}
      </td>
    </tr>
  );
}
