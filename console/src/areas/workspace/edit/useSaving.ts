/** Saves the edits of a layer: all or none, never twice, and over another writer's only if the user wants that. */
import { useEffect } from "react";
import { isRepeated, newRequestKey } from "../../../service/http/requestKey.ts";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import { useStable } from "../../../ui/hooks/useStable.ts";
import { ConflictError, rowsNow, saveEdits, type EditedTable } from "./editRows.ts";
import { without, type Edits } from "./edits.ts";
import type { Sent } from "./keptEdits.ts";
import { isLost, overPresent, remaining, settled, type Found } from "./settle.ts";
import type { Editing } from "./useEditing.ts";
import { t } from "../../../words/words.ts";

/** How often it writes over a row that others change meanwhile. */
const TRIES = 10;
const PATIENCE_MS = 60_000;

export function useSaving(table: EditedTable, editing: Editing, onSaved: () => void) {
  const { edits, sent, setSent } = editing;
  const { error, isBusy, run, clear } = useAttempt();

  /**
   * The edits were written. Those that were made since stay, on the rows that the written ones have become. `found`: these
   * rows, where they have been read already.
   */
  async function finish(written: Sent, found?: Found): Promise<void> {
    if (navigator.onLine) await editing.readAgain();
    const isUnchanged = act.edits() === written.edits;
    const rows = found ?? (isUnchanged ? undefined : await settled(table, written).catch(() => undefined));
    editing.restart(remaining(act.edits(), written.edits, rows ?? new Map()));
    onSaved();
  }

  /** Sends edits, and finds out whether they were written where the answer is lost. */
  async function send(written: Edits): Promise<void> {
    const sending: Sent = { edits: written, known: editing.knownKeys(), key: sent?.key ?? newRequestKey() };
    let found: Found | undefined;
    try {
      await saveEdits(table, written, sending.key);
    } catch (failure) {
      if (isRepeated(failure)) return finishEarlier();
      // others that were sent with the key may still be written
      if (!isLost(failure)) throw failure;
      setSent(sending);
      found = await settled(table, sending).catch(() => undefined);
      if (!found) throw failure;
    }
    await finish(sending, found);
  }

  /** The edits that were sent before have been written meanwhile, and so these were not. */
  async function finishEarlier(): Promise<void> {
    if (sent && (await settle(sent))) return;
    setSent(undefined);
    await editing.readAgain();
    throw new Error(
      t("What you sent before has been saved after all. Look at the map, then change or discard the rest."),
    );
  }

  /** Returns whether the edits that were sent before have been written. */
  async function settle(before: Sent): Promise<boolean> {
    const found = await settled(table, before);
    if (found) await finish(before, found);
    return found !== undefined;
  }

  async function save(): Promise<void> {
    if (sent && (await settle(sent))) return;
    await send(edits);
  }

  /** Writes the edits of the rows of a conflict over what others have left there, and all other edits with them. */
  async function keepMine({ keys }: ConflictError): Promise<void> {
    const mine = new Set(keys);
    let written = edits;
    for (let tries = 1; ; tries++) {
      const rows = [...written].flatMap(([id, { row }]) => (row && mine.has(id) ? [row] : []));
      written = overPresent(table, written, mine, await rowsNow(table, rows, AbortSignal.timeout(PATIENCE_MS)));
      editing.restart(written);
      try {
        return await send(written);
      } catch (failure) {
        const isAgain = failure instanceof ConflictError && failure.keys.every((key) => mine.has(key));
        if (!isAgain || tries === TRIES) throw failure;
      }
    }
  }

  async function takeTheirs({ keys }: ConflictError): Promise<void> {
    await editing.readAgain();
    editing.setPast((past) => without(past, keys));
  }

  const act = useStable({
    edits: () => edits,
    online: () => void (sent && run(() => settle(sent))),
  });
  useEffect(() => {
    window.addEventListener("online", act.online);
    return () => window.removeEventListener("online", act.online);
  }, [act]);

  return {
    error,
    isBusy,
    clear,
    save: () => void run(save),
    keepMine: (conflict: ConflictError) => void run(() => keepMine(conflict)),
    takeTheirs: (conflict: ConflictError) => void run(() => takeTheirs(conflict)),
  };
}
