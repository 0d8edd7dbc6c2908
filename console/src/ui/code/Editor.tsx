/** CodeMirror, with the page's nonce on its styles. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorLooks } from "./editorLooks.ts";

/** An error in the text, with its position in characters from 1, where it is known. */
export interface Problem {
  readonly message: string;
  readonly position?: number | undefined;
}

/** A text to write at the cursor, once for each object. */
export interface Insertion {
  readonly text: string;
}

export interface EditorProps {
  /** The label for a screen reader. */
  readonly label: string;
  /** The initial text. After that, the editor holds the text. */
  readonly text: string;
  readonly onChange?: (text: string) => void;
  /** Called on Ctrl-Enter with the selection, or with everything. `from`: the number of characters before it. */
  readonly onRun?: (text: string, from: number) => void;
  /** The language and its completions. Must be the same object as long as it does not change. */
  readonly language: Extension;
  readonly problem?: Problem | undefined;
  readonly isReadOnly?: boolean;
  readonly insertion?: Insertion | undefined;
}

export function Editor({
  label,
  text,
  onChange,
  onRun,
  language,
  problem,
  isReadOnly = false,
  insertion,
}: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const handlers = useRef({ onChange, onRun });
  handlers.current = { onChange, onRun };
  const begun = useRef({ text, language, label, isReadOnly });
  const changing = useRef(new Compartment());

  useEffect(() => {
    const { text, language, label, isReadOnly } = begun.current;
    const run = (view: EditorView): boolean => {
      closeCompletion(view); // the user has finished writing
      const { state } = view;
      const { from, to } = state.selection.main;
      if (from === to) handlers.current.onRun?.(state.doc.toString(), 0);
      else handlers.current.onRun?.(state.sliceDoc(from, to), Array.from(state.sliceDoc(0, from)).length);
      return handlers.current.onRun !== undefined;
    };
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), // keys can scroll it
          EditorState.readOnly.of(isReadOnly),
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          editorLooks,
          changing.current.of(language),
          // before the default keys, for which Ctrl-Enter would start a line
          keymap.of([{ key: "Mod-Enter", run }]),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
          // completions that arrive after the focus has left would open and stay open
          EditorView.domEventHandlers({ blur: (_, view) => void setTimeout(() => closeCompletion(view)) }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handlers.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    if (language !== begun.current.language)
      editor.current?.dispatch({ effects: changing.current.reconfigure(language) });
    begun.current = { ...begun.current, language };
  }, [language]);

  useEffect(() => {
    const view = editor.current;
    if (view)
      view.dispatch(setDiagnostics(view.state, problem ? [toDiagnostic(view.state.doc.toString(), problem)] : []));
  }, [problem]);

  useEffect(() => {
    const view = editor.current;
    if (!view || !insertion) return;
    view.dispatch(view.state.replaceSelection(insertion.text));
    view.focus();
  }, [insertion]);

  return <div ref={place} className="code-editor" />;
}

/** The range from the position to the end of the word there; the whole text where the position is not known. */
function toDiagnostic(text: string, { message, position }: Problem) {
  const characters = Array.from(text); // PostgreSQL counts code points, the editor UTF-16
  const from = position === undefined ? 0 : characters.slice(0, position - 1).join("").length;
  const word = position === undefined ? text : (/^(?:[\w$]+|.)/su.exec(text.slice(from))?.[0] ?? "");
  const to = Math.min(text.length, from + word.length);
  return { from: Math.min(from, to), to, severity: "error" as const, message };
}
