import { useEffect, useRef, useState } from "react";
import { follow, type RowEvent } from "../../service/events.ts";

/** The time to wait for further writes, in ms. */
const PAUSE = 100;

/**
 * A number that changes soon after a commit to the table, while `isFollowed`. It stays the same where the table's
 * events are off.
 * `onEvents` receives each event before.
 */
export function useWritten(
  schema: string,
  table: string,
  isFollowed: boolean,
  onEvents?: (events: readonly RowEvent[]) => void,
): number {
  const [count, setCount] = useState(0);
  const listener = useRef(onEvents);
  listener.current = onEvents;
  useEffect(() => {
    if (!isFollowed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setCount((before) => before + 1);
      }, PAUSE);
    };
    const following = follow({ schema, table, where: "", op: undefined }, undefined, {
      onEvents(events) {
        listener.current?.(events);
        soon();
      },
      onGap: soon,
      onState: () => undefined,
    });
    return () => {
      clearTimeout(timer);
      following.stop();
    };
  }, [schema, table, isFollowed]);
  return count;
}
