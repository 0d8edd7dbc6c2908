/** Finds areas, tables, columns, methods and accounts by name, as far as the person may see them, and goes there. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { useUsers } from "../../service/access.ts";
import { allMethods } from "../../service/methods.ts";
import type { Table } from "../../service/rows/relations.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { AREAS } from "./areas.ts";
import { Dialog } from "../forms/Dialog.tsx";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAllSchemas } from "../schemas.ts";
import { useAccount } from "../hooks/useAccount.ts";
import { ofService, t } from "../../words/words.ts";

interface Found {
  readonly name: string;
  /** Its kind and its location. */
  readonly about: string;
  readonly goTo: NavigateOptions;
  readonly isColumn?: boolean;
}

interface Everything {
  readonly all: readonly Found[];
  readonly error: Error | null;
  /** Whether a part is still loading. */
  readonly isPending: boolean;
}

const MOST = 50;

export function Search({ onClose }: { readonly onClose: () => void }) {
  const { data: account } = useAccount();
  const isSuper = account?.superUser === true;
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const navigate = useNavigate();
  const { all, error, isPending } = useEverything(isSuper);
  const found = useMemo(() => best(all, text), [all, text]); // not deferred: Enter opens the shown result
  const chosen = Math.min(at, found.length - 1);

  function go(index: number): void {
    const one = found[index];
    if (!one) return;
    onClose();
    void navigate(one.goTo);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") go(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={t("Search")} onClose={onClose}>
      <input
        autoFocus
        className="wide"
        role="combobox"
        aria-label={t("Search everything")}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={t("A table, column, method, account or area")}
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ErrorNote error={error} />
      <ul role="listbox" id={`${id}-list`} aria-label={t("Found")} className="hits" tabIndex={-1}>
        {found.map(({ name, about }, index) => (
          // the keys of the field above choose; only the pointer acts here
          <li
            key={`${about} ${name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={index === chosen ? (item) => item?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={() => go(index)}
          >
            {name} <span className="quiet">{about}</span>
          </li>
        ))}
      </ul>
      {text.trim() !== "" && found.length === 0 && (
        <p className="quiet">{isPending ? "…" : t("Nothing that you may see has that name.")}</p>
      )}
    </Dialog>
  );
}

function useEverything(isSuper: boolean): Everything {
  const schemas = useAllSchemas();
  const tables = useQueries({
    queries: schemas.map(tablesOf),
    combine: (answers) => ({
      data: answers.flatMap(({ data }) => data ?? []),
      error: answers.find(({ error }) => error)?.error ?? null,
      isPending: answers.some(({ isPending }) => isPending),
    }),
  });
  const methods = useQuery(allMethods);
  const users = useUsers(isSuper);
  const all = useMemo(
    () => [
      ...AREAS.filter((area) => isSuper || !area.isForSuperUsers).map(({ to, title }): Found => ({
        name: title,
        about: t("area"),
        goTo: { to },
      })),
      ...tables.data.flatMap(tableAndColumns),
      ...(methods.data ?? []).map(({ method }): Found => ({
        name: method,
        about: t("method"),
        goTo: { to: "/methods/$method", params: { method } },
      })),
      ...(users.data ?? []).map(({ name }): Found => ({
        name,
        about: t("account"),
        goTo: { to: "/access/accounts/$account", params: { account: name } },
      })),
    ],
    [isSuper, tables.data, methods.data, users.data],
  );
  return {
    all,
    error: tables.error ?? methods.error ?? users.error,
    isPending: tables.isPending || methods.isPending || (isSuper && users.isPending),
  };
}

/** The results for a table: a readable one has its rows and its definition, others only the definition. */
function tableAndColumns({ schema, name: table, kind, graphql_type: type, rights, columns }: Table): readonly Found[] {
  const toSchema: NavigateOptions = { to: "/schema/$schema/$table", params: { schema, table } };
  const toRows: NavigateOptions = { to: "/data/$schema/$table", params: { schema, table } };
  return [
    {
      name: table,
      about: t("{kind} in {schema}", { kind: ofService(kind), schema }),
      goTo: type !== null && rights.includes("select") ? toRows : toSchema,
    },
    ...columns.map(({ name }): Found => ({
      name,
      about: t("column of {schema}.{table}", { schema, table }),
      goTo: toSchema,
      isColumn: true,
    })),
  ];
}

/** The results in order: exact names, names that begin with the text, names that contain it; each with columns last. */
function best(all: readonly Found[], text: string): readonly Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return all.filter(({ about }) => about === "area");
  const ranks: Found[][] = [[], [], [], [], [], []];
  for (const one of all) {
    const place = one.name.toLowerCase().indexOf(wanted);
    const rank = place > 0 ? 4 : one.name.length > wanted.length ? 2 : 0;
    if (place >= 0) ranks[one.isColumn ? rank + 1 : rank]!.push(one);
  }
  return ranks.flat().slice(0, MOST);
}
