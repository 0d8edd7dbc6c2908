/** Functions and procedures of a schema, to read. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { definitionsOf } from "../../service/definitions.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

export function FunctionList({ schema }: { readonly schema: string }) {
  const { data, error } = useQuery(definitionsOf(schema));
  const [open, setOpen] = useState<string>();
  const functions = data?.filter(({ kind }) => kind === "function");
  const opened = functions?.find(({ name }) => name === open);
  return (
    <section aria-labelledby="functions">
      <h2 id="functions">Functions</h2>
      <ErrorNote error={error} />
      {functions?.length === 0 && <p className="quiet">None.</p>}
      <ul>
        {functions?.map(({ name }) => (
          <li key={name}>
            <button type="button" className="plain" onClick={() => setOpen(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {opened && (
        <Dialog title={opened.name} onClose={() => setOpen(undefined)}>
          <div className="preview">
            <pre tabIndex={0} role="region" aria-label={`SQL of ${opened.name}`}>
              {opened.sql}
            </pre>
          </div>
          <div className="tools">
            <CopyButton text={opened.sql} title="Copy the SQL" />
            <button type="button" className="plain" onClick={() => setOpen(undefined)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
