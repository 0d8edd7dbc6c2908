/** The methods that the person may call, and the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { allMethods } from "../../service/methods.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { SideList } from "../../ui/SideList.tsx";
import { NewMethodDialog } from "./NewMethodDialog.tsx";

export function Methods() {
  const { method } = useParams({ strict: false });
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <SideList
        label="Methods"
        noun="a method"
        isChosen={method !== undefined}
        content={
          <>
            <Outlet />
            {method === undefined && (
              <p className="empty">
                Choose a method to run or change it, or write one: a statement that programs call.
              </p>
            )}
          </>
        }
      >
        {(search) => (
          <>
            <button type="button" className="wide" onClick={() => setIsNew(true)}>
              Write a method
            </button>
            <List search={search} />
          </>
        )}
      </SideList>
      {isNew && <NewMethodDialog onClose={() => setIsNew(false)} />}
    </>
  );
}

function List({ search }: { readonly search: string }) {
  const { data, error } = useQuery(allMethods);
  const shown = data?.filter(({ method }) => method.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <ErrorNote error={error} />
      {shown?.length === 0 && <p className="quiet">{search ? "None of that name." : "None yet."}</p>}
      <ul>
        {shown?.map(({ method, published, function: row }) => (
          <li key={method}>
            <Link to="/methods/$method" params={{ method }}>
              {method} {!published && !row && <span className="quiet">not published</span>}
              {row && <span className="quiet">a function</span>}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
