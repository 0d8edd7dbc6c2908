/** The form of a pyramid: its collection, its levels, and the account whose rights its tiles have. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useUsers } from "../../service/access.ts";
import { shapeOf } from "../../service/maps.ts";
import { makePyramid, tileMatrixSets } from "../../service/pyramids.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { Field, type FieldProps } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useAllSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export interface PyramidDialogProps {
  /** Called when the pyramid has been started. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** The service's limit for the deepest level of a pyramid. */
const DEEPEST = 24;
/** The default level: in Web Mercator it has some ten thousand tiles at most. */
const USUAL_ZOOM = 8;

export function PyramidDialog({ onDone, onClose }: PyramidDialogProps) {
  const { data: self } = useAccount();
  const schemas = useAllSchemas();
  const tables = useQueries({ queries: schemas.map(tablesOf) }).flatMap(({ data = [] }) => data);
  const users = useUsers();
  const sets = useQuery(tileMatrixSets(self?.database ?? ""));
  const [collection, setCollection] = useState("");
  const [first, setFirst] = useState(0);
  const [last, setLast] = useState(USUAL_ZOOM);
  const [account, setAccount] = useState("anonymous");
  const [set, setSet] = useState("WebMercatorQuad");
  const list = useId();
  return (
    <FormDialog
      title={t("Make a pyramid")}
      action={t("Make it")}
      onClose={onClose}
      onSubmit={async () => {
        await makePyramid({ collection, first_zoom: first, last_zoom: last, account, tile_matrix_set: set });
        await onDone();
      }}
    >
      <Field
        label={t("Collection")}
        hint={t("As schema.table. The writes of the table must be recorded (events or history)")}
      >
        <input value={collection} required list={list} onChange={({ target }) => setCollection(target.value)} />
      </Field>
      <datalist id={list}>
        {tables
          .filter((table) => shapeOf(table) !== undefined)
          .map(({ schema, name }) => (
            <option key={`${schema}.${name}`} value={`${schema}.${name}`} />
          ))}
      </datalist>
      <ZoomField label={t("First zoom")} value={first} most={last} onChange={setFirst} />
      <ZoomField
        label={t("Last zoom")}
        hint={t("Each zoom has up to four times the tiles of the one before")}
        value={last}
        most={DEEPEST}
        onChange={setLast}
      />
      <Field label={t("For")} hint={t("Accounts with the same rights as this one get the tiles")}>
        <select value={account} onChange={({ target }) => setAccount(target.value)}>
          {["anonymous", ...(users.data ?? []).map(({ name }) => name).filter((name) => name !== "anonymous")].map(
            (name) => (
              <option key={name}>{name}</option>
            ),
          )}
        </select>
      </Field>
      <Field label={t("Grid of tiles")}>
        <select value={set} onChange={({ target }) => setSet(target.value)}>
          {(sets.data ?? [set]).map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}

interface ZoomFieldProps extends Pick<FieldProps, "label" | "hint"> {
  readonly value: number;
  readonly most: number;
  readonly onChange: (zoom: number) => void;
}

function ZoomField({ value, most, onChange, ...field }: ZoomFieldProps) {
  return (
    <Field {...field}>
      <input
        type="number"
        required
        min={0}
        max={most}
        value={value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </Field>
  );
}
