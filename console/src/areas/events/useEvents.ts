import { useCallback, useEffect, useRef, useState } from "react";
import { follow, type Operation, type RowEvent, type State } from "../../service/events.ts";
import { t } from "../../words/words.ts";

/** The most events that are kept. */
const MOST = 500;

interface Numbered {
  readonly number: number;
  readonly event: RowEvent;
}

const WORDS: Readonly<Record<State, string>> = {
  connecting: t("Connecting …"),
  following: t("Following."),
  lost: t("The connection was lost. It is opened again …"),
  refused: t("It cannot be followed."),
};

export interface Followed {
  readonly schema: string;
  readonly table: string;
  readonly where: string;
  readonly op: Operation | undefined;
}

/** Subscribes at once, and again when the question changes. `stop` keeps the position from which `start` resumes. */
export function useEvents({ schema, table, where, op }: Followed) {
  const [events, setEvents] = useState<readonly Numbered[]>([]);
  const [said, setSaid] = useState({ text: "", isError: false });
  const [isFollowing, setIsFollowing] = useState(true);
  const question = JSON.stringify([schema, table, where, op]);
  /** The position at which the events of a question resume. */
  const left = useRef<{ readonly question: string; readonly position: string | undefined }>(undefined);
  const [goesOn, setGoesOn] = useState<string>();
  const count = useRef(0);

  useEffect(() => {
    if (!isFollowing) return;
    const after = left.current?.question === question ? left.current.position : undefined;
    const following = follow({ schema, table, where, op }, after, {
      onEvents(more) {
        const numbered = more.map((event) => ({ number: count.current++, event })).reverse();
        setEvents((before) => [...numbered, ...before].slice(0, MOST));
      },
      onGap: () =>
        setSaid({ text: t("Some events were lost, or the table was emptied; new events follow."), isError: true }),
      onState(state, message) {
        setSaid({ text: message ?? WORDS[state], isError: state === "refused" || state === "lost" });
        if (state === "refused") setIsFollowing(false);
      },
    });
    return () => {
      const position = following.stop();
      left.current = { question, position };
      setGoesOn(position === undefined ? undefined : question);
    };
  }, [schema, table, where, op, question, isFollowing]);

  const stop = useCallback(() => {
    setIsFollowing(false);
    setSaid({ text: t("Stopped."), isError: false });
  }, []);
  return {
    events,
    said,
    isFollowing,
    mayGoOn: goesOn === question,
    start: () => setIsFollowing(true),
    stop,
    clear: () => setEvents([]),
  };
}
