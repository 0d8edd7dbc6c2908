/** The relations of all schemas, and the one that is open. */
import { RelationsArea } from "../../ui/relations.tsx";

export function Data() {
  return (
    <RelationsArea title="Data" to="/data/$schema/$table" none="Nothing that you may see.">
      <p>Choose a table to see its rows, under your own rights.</p>
    </RelationsArea>
  );
}
