/** The tables and enums of a schema, as a list and as a diagram, and the open one. */
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSchemaTables, useTypes } from "../../service/tables/schemas.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { SchemaChoice } from "../../ui/forms/SchemaChoice.tsx";
import { Side } from "../../ui/shell/Side.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { EnumDialog } from "./EnumDialog.tsx";
import { FunctionList } from "./FunctionList.tsx";
import { NameList } from "./NameList.tsx";
import { TableDialog } from "./TableDialog.tsx";
import { t } from "../../words/words.ts";

export function Schema() {
  const { schema, table } = useParams({ strict: false });
  const [first] = useSchemas();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"table" | "enum">();
  const mayMake = useAccount().data?.superUser === true; // a new object belongs to all super users
  useEffect(() => {
    if (schema === undefined && first !== undefined)
      void navigate({ to: "/schema/$schema", params: { schema: first }, replace: true });
  }, [schema, first, navigate]);
  if (first === undefined)
    return <p className="empty">{t("No schema is exposed: name one with the option schemas.")}</p>;
  const shown = schema ?? first;
  return (
    <div className="sided">
      <Side label={t("Tables and enums")} noun={t("a table")} isChosen={table !== undefined}>
        <div className="tools">
          <SchemaChoice
            value={shown}
            onChange={(next) => void navigate({ to: "/schema/$schema", params: { schema: next } })}
          />
          <Link to="/schema/$schema" params={{ schema: shown }} activeOptions={{ exact: true }}>
            {t("Diagram")}
          </Link>
        </div>
        <TableList schema={shown} />
        {mayMake && (
          <div className="tools">
            <button type="button" onClick={() => setOpen("table")}>
              {t("New table")}
            </button>
            <Link className="button" to="/import/$schema" params={{ schema: shown }}>
              {t("New table from a file")}
            </Link>
          </div>
        )}
        <EnumList schema={shown} />
        {mayMake && (
          <button type="button" onClick={() => setOpen("enum")}>
            {t("New enum")}
          </button>
        )}
        <FunctionList schema={shown} />
      </Side>
      <div className="content" tabIndex={-1}>
        <Outlet />
      </div>
      {open === "table" && (
        <TableDialog
          schema={shown}
          onClose={() => setOpen(undefined)}
          onDone={(made) => void navigate({ to: "/schema/$schema/$table", params: { schema: shown, table: made } })}
        />
      )}
      {open === "enum" && <EnumDialog schema={shown} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function TableList({ schema }: { readonly schema: string }) {
  const tables = useSchemaTables(schema);
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">{t("Tables")}</h2>
      <ErrorNote error={tables.error} />
      {tables.data?.length === 0 && <p className="quiet">{t("None that you may see.")}</p>}
      <ul>
        {tables.data?.map(({ name, kind }) => (
          <li key={name}>
            <Link to="/schema/$schema/$table" params={{ schema, table: name }}>
              {name} {kind !== "table" && <span className="quiet">{kind}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function EnumList({ schema }: { readonly schema: string }) {
  const { data, error } = useTypes(schema);
  return (
    <NameList title={t("Enums")} items={data} error={error}>
      {(type, onClose) => <EnumDialog schema={schema} type={type} onClose={onClose} />}
    </NameList>
  );
}
