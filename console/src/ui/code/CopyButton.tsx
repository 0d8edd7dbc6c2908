import { useState } from "react";
import { t } from "../../words/words.ts";

export interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>);
  /** Default: Copy. */
  readonly title?: string;
}

/** Copies the text to the clipboard, and confirms it. */
export function CopyButton({ text, title = t("Copy") }: CopyButtonProps) {
  const [isDone, setIsDone] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
    setIsDone(true);
  }
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setIsDone(false)}>
      {isDone ? t("Copied") : title}
    </button>
  );
}
