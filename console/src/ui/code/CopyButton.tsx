import { useState } from "react";

export interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>);
  /** Default Copy. */
  readonly title?: string;
}

/** Puts the text onto the clipboard, and says that it has. */
export function CopyButton({ text, title = "Copy" }: CopyButtonProps) {
  const [isDone, setIsDone] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
    setIsDone(true);
  }
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setIsDone(false)}>
      {isDone ? "Copied" : title}
    </button>
  );
}
