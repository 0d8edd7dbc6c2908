/** Vector tiles that are made beforehand: the pyramids, their progress, and starting, stopping and removing them. */
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
import { number, ofService, plural, t } from "../../words/words.ts";

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
    <section className="pyramids" aria-label={t("Pyramids")}>
      <div className="head">
        <h1>{t("Pyramids")}</h1>
        <span className="quiet">{t("vector tiles that are made in advance")}</span>
        <span className="tools">
          <button type="button" onClick={() => setIsMaking(true)}>
            {t("Make a pyramid")}
          </button>
        </span>
      </div>
      <ErrorNote error={found.error} />
      {found.data?.length === 0 && (
        <p className="empty">{t("No pyramid yet. Tiles of a popular collection can be made in advance.")}</p>
      )}
      {found.data && found.data.length > 0 && (
        <ScrolledTable
          label={t("All pyramids")}
          titles={[t("Collection"), t("Zooms"), t("For"), t("State"), t("Tiles"), t("Behind"), ""]}
        >
          {found.data.map((pyramid) => (
            <Row key={pyramid.id} pyramid={pyramid} onRemove={() => setRemoved(pyramid)} onChanged={refresh} />
          ))}
        </ScrolledTable>
      )}
      {isMaking && <PyramidDialog onClose={() => setIsMaking(false)} onDone={refresh} />}
      {removed && (
        <FormDialog
          title={t("Remove the pyramid of {collection}?", { collection: removed.collection })}
          action={t("Remove it")}
          isDanger
          onClose={() => setRemoved(undefined)}
          onSubmit={async () => {
            await removePyramid(removed);
            await refresh();
          }}
        >
          <p>
            {t("Its tiles are deleted. From then on tiles of {collection} are made on request.", {
              collection: removed.collection,
            })}
          </p>
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
      <td>{t("{first} to {last}", { first, last })}</td>
      <td>{account}</td>
      <td className="wide">
        {isBeingMade(pyramid) && <progress aria-label={t("Tiles of {collection} are being made", { collection })} />}{" "}
        {state !== null && ofService(state)}
        {error !== null && <div className="failed">{error}</div>}
        <ErrorNote error={attempt.error} />
      </td>
      <td>
        {number(tiles)} <span className="quiet">{sizeText(bytes)}</span>
      </td>
      <td>{behind === 0 ? "" : plural(behind, "{count} area", "{count} areas")}</td>
      <td className="tools">
        {isBeingMade(pyramid) && (
          <button
            type="button"
            className="plain"
            aria-disabled={attempt.isBusy}
            aria-label={t("Stop the pyramid of {collection}", { collection })}
            onClick={() => act(stopPyramid)}
          >
            {t("Stop")}
          </button>
        )}
        {(state === "stopped" || state === "failed") && (
          <button
            type="button"
            className="plain"
            aria-disabled={attempt.isBusy}
            aria-label={t("Continue the pyramid of {collection}", { collection })}
            onClick={() => act(continuePyramid)}
          >
            {t("Continue")}
          </button>
        )}
        <button
          type="button"
          className="plain"
          aria-label={t("Remove the pyramid of {collection}", { collection })}
          onClick={onRemove}
        >
          {t("Remove")}
        </button>
      </td>
    </tr>
  );
}
