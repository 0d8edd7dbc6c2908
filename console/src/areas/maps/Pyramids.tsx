/** Vector tiles that are made beforehand: which there are, how far each is, and making, stopping and removing one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  continuePyramid,
  isBeingMade,
  pyramids,
  removePyramid,
  stopPyramid,
  type Pyramid,
} from "../../service/pyramids.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { sizeText } from "../../ui/files/sizeText.ts";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { PyramidDialog } from "./PyramidDialog.tsx";

export function Pyramids() {
  return (
    <ForSuperUsers>
      <All />
    </ForSuperUsers>
  );
}

function All() {
  const client = useQueryClient();
  const found = useQuery(pyramids);
  const [isMaking, setIsMaking] = useState(false);
  const [removed, setRemoved] = useState<Pyramid>();
  const refresh = () => client.invalidateQueries({ queryKey: pyramids.queryKey });
  return (
    <section className="pyramids" aria-label="Pyramids">
      <div className="head">
        <h1>Pyramids</h1>
        <span className="quiet">vector tiles that are made beforehand</span>
        <span className="tools">
          <button type="button" onClick={() => setIsMaking(true)}>
            Make a pyramid
          </button>
        </span>
      </div>
      <ErrorNote error={found.error} />
      {found.data?.length === 0 && (
        <p className="empty">No pyramid yet. Tiles of a collection that many people look at can be made beforehand.</p>
      )}
      {found.data && found.data.length > 0 && (
        <ScrolledTable label="All pyramids" titles={["Collection", "Zooms", "For", "State", "Tiles", "Behind", ""]}>
          {found.data.map((pyramid) => (
            <Row key={pyramid.id} pyramid={pyramid} onRemove={() => setRemoved(pyramid)} onChanged={refresh} />
          ))}
        </ScrolledTable>
      )}
      {isMaking && <PyramidDialog onClose={() => setIsMaking(false)} onDone={refresh} />}
      {removed && (
        <FormDialog
          title={`Remove the pyramid of ${removed.collection}?`}
          action="Remove it"
          isDanger
          onClose={() => setRemoved(undefined)}
          onSubmit={async () => {
            await removePyramid(removed);
            await refresh();
          }}
        >
          <p>Its tiles are deleted. From then on tiles of {removed.collection} are made when they are asked for.</p>
        </FormDialog>
      )}
    </section>
  );
}

interface RowProps {
  readonly pyramid: Pyramid;
  readonly onRemove: () => void;
  readonly onChanged: () => Promise<void>;
}

function Row({ pyramid, onRemove, onChanged }: RowProps) {
  const { collection, tile_matrix_set: set, first_zoom: first, last_zoom: last, account, state, error } = pyramid;
  const { tiles, bytes, behind } = pyramid;
  const attempt = useAttempt();
  const act = (change: (of: Pyramid) => Promise<void>): void =>
    void attempt.run(async () => {
      await change(pyramid);
      await onChanged();
    });
  return (
    <tr>
      <th scope="row">
        {collection}
        <div className="quiet">{set}</div>
      </th>
      <td>
        {first} to {last}
      </td>
      <td>{account}</td>
      <td className="wide">
        {isBeingMade(pyramid) && <progress aria-label={`Tiles of ${collection} are being made`} />} {state}
        {error !== null && <div className="failed">{error}</div>}
        <ErrorNote error={attempt.error} />
      </td>
      <td>
        {tiles.toLocaleString()} <span className="quiet">{sizeText(bytes)}</span>
      </td>
      <td>{behind === 0 ? "" : `${behind.toLocaleString()} ${behind === 1 ? "area" : "areas"}`}</td>
      <td className="tools">
        {isBeingMade(pyramid) && (
          <button
            type="button"
            className="plain"
            aria-disabled={attempt.isBusy}
            aria-label={`Stop the pyramid of ${collection}`}
            onClick={() => act(stopPyramid)}
          >
            Stop
          </button>
        )}
        {(state === "stopped" || state === "failed") && (
          <button
            type="button"
            className="plain"
            aria-disabled={attempt.isBusy}
            aria-label={`Continue the pyramid of ${collection}`}
            onClick={() => act(continuePyramid)}
          >
            Continue
          </button>
        )}
        <button type="button" className="plain" aria-label={`Remove the pyramid of ${collection}`} onClick={onRemove}>
          Remove
        </button>
      </td>
    </tr>
  );
}
