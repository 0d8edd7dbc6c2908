/** The type of a column: a list of the usual ones and the enums of the schema; any other can be typed. */
import { useId } from "react";
import { qualifiedName } from "../../service/access.ts";
import { useTypes } from "../../service/tables/schemas.ts";

const USUAL = [
  "text", "integer", "bigint", "numeric(10,2)", "double precision", "boolean", "date", "timestamptz", "uuid", "jsonb", "text[]",
  "geometry(Point,4326)", "geometry(LineString,4326)", "geometry(Polygon,4326)", "geometry(MultiPolygon,4326)",
]; // oxfmt-ignore

export interface TypeInputProps {
  readonly schema: string;
  readonly value: string;
  readonly onChange: (type: string) => void;
  readonly id?: string;
  readonly "aria-label"?: string;
}

export function TypeInput({ schema, value, onChange, ...labels }: TypeInputProps) {
  const list = useId();
  const types = useTypes(schema);
  return (
    <>
      <input
        {...labels}
        required
        list={list}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {[...USUAL, ...(types.data ?? []).map(({ name }) => qualifiedName(schema, name))].map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
