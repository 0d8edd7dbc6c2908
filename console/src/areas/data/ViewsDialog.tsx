/** Filters, order and columns under a name, which this browser keeps for each table. Their addresses are links as any other. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { readGridSearch, type GridSearch } from "../../service/rows/gridSearch.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useKept } from "../../ui/hooks/useKept.ts";

export interface ViewsDialogProps {
  readonly relation: Relation;
  /** The present view. */
  readonly search: GridSearch;
  readonly onClose: () => void;
}

type Views = Readonly<Record<string, Record<string, unknown>>>;

export function ViewsDialog({ relation: { schema, table }, search, onClose }: ViewsDialogProps) {
  const { data: account } = useAccount();
  const owner = JSON.stringify([account?.database, account?.sub, schema, table]);
  const [kept, keep] = useKept(`views:${owner}`, "{}", localStorage);
  const [name, setName] = useState("");
  const views = JSON.parse(kept) as Views;
  return (
    <FormDialog
      title={`Views of ${table}`}
      action="Save as a view"
      onClose={onClose}
      onSubmit={async () => {
        if (name.trim() === "") throw new Error("Give it a name.");
        keep(JSON.stringify({ ...views, [name.trim()]: search }));
      }}
    >
      {Object.keys(views).length === 0 && <p className="quiet">There is none yet.</p>}
      <ul className="sessions" aria-label="Saved views">
        {Object.entries(views).map(([each, of]) => (
          <li key={each}>
            <span className="what">
              <Link to="/data/$schema/$table" params={{ schema, table }} search={readGridSearch(of)} onClick={onClose}>
                {each}
              </Link>
            </span>
            <button
              type="button"
              className="plain"
              aria-label={`Forget ${each}`}
              onClick={() => {
                const { [each]: _gone, ...others } = views;
                keep(JSON.stringify(others));
              }}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
      <Field label="Filter, order and columns of now, as" hint="This browser keeps it; an older one of this name goes.">
        <input value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
    </FormDialog>
  );
}
