import { useEffect, useRef, useState } from "react";
import { follow, type RowEvent } from "../../service/events.ts";

/** How long more that is written is waited for, in ms. */
const PAUSE = 100;

/**
 * Another number soon after something was committed to the table, while `isFollowed`; the same one where its events are off.
 * `onEvents` has each of them before.
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
