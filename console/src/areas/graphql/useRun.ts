/** Runs a document, or follows its subscription, until it is stopped or another one runs. */
import { useEffect, useRef, useState } from "react";
import {
  followDocument,
  isSubscription,
  runDocument,
  type DocumentRequest,
  type HeaderValues,
} from "../../service/documents.ts";

export interface Running {
  readonly isRunning: boolean;
  /** Whole responses. For a subscription, newest first. */
  readonly answers: readonly string[];
  readonly error: Error | null;
  readonly ms: number | undefined;
  run(request: DocumentRequest, headers: HeaderValues): void;
  fail(error: Error): void;
  stop(): void;
}

/** The most responses of a subscription that are kept. */
const MOST = 100;

/** `onDone`: called for each document that has answered, and for each subscription that has begun. */
export function useRun(
  schema: string,
  onDone: (request: DocumentRequest, ms: number, isError: boolean) => void,
): Running {
  const [answers, setAnswers] = useState<readonly string[]>([]);
  const [error, setError] = useState<Error | null>(null);
  const [ms, setMs] = useState<number>();
  const [isRunning, setIsRunning] = useState(false);
  const end = useRef<() => void>(undefined);

  function stop(): void {
    end.current?.();
    end.current = undefined;
    setIsRunning(false);
  }

  async function ask(request: DocumentRequest, headers: HeaderValues, start: number): Promise<void> {
    const aborter = new AbortController();
    end.current = () => aborter.abort();
    const { text, answer, refusal } = await runDocument(schema, request, headers, aborter.signal);
    if (aborter.signal.aborted) return;
    setAnswers([text]);
    setError(refusal);
    setMs(performance.now() - start);
    onDone(request, performance.now() - start, "errors" in answer);
    setIsRunning(false);
  }

  async function follow(request: DocumentRequest, headers: HeaderValues): Promise<void> {
    let isOver = false;
    end.current = () => (isOver = true);
    const leave = await followDocument(schema, request, headers, {
      onNext: (response) => !isOver && setAnswers((before) => [response, ...before].slice(0, MOST)),
      onEnd(reason) {
        if (isOver) return;
        setError(reason ?? null);
        setIsRunning(false);
      },
    });
    if (isOver) return leave();
    end.current = () => {
      isOver = true;
      leave();
    };
    onDone(request, 0, false);
  }

  function run(request: DocumentRequest, headers: HeaderValues): void {
    stop();
    setAnswers([]);
    setError(null);
    setMs(undefined);
    setIsRunning(true);
    const start = performance.now();
    const answered = isSubscription(request.query, request.operationName)
      ? follow(request, headers)
      : ask(request, headers, start);
    answered.catch((thrown: unknown) => {
      if (thrown instanceof DOMException && thrown.name === "AbortError") return; // it was stopped
      setError(thrown as Error);
      setIsRunning(false);
    });
  }

  useEffect(() => () => end.current?.(), []);
  return { isRunning, answers, error, ms, run, fail: setError, stop };
}
