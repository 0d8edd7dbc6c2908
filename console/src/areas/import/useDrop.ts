/** A part of the page that a file can be dropped on, anywhere. */
import { useState, type DragEvent } from "react";

export function useDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent): void {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault(); // otherwise the browser leaves the page for the file
        setIsOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent): void {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false);
      },
      onDrop(event: DragEvent): void {
        setIsOver(false);
        const [dropped] = event.dataTransfer.files;
        if (!dropped) return;
        event.preventDefault();
        onFile(dropped);
      },
    },
  };
}
