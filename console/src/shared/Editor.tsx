// CodeMirror as an input: JSON with the errors of its schema, SQL with the names of tables and columns, or Python.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json, jsonLanguage, jsonParseLinter } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, linter } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import { completeJson } from "./completion";
import { useLocked } from "./rights";
import { findProblems, type Problem, type Schema } from "./schema";
import { type Names, sqlWith } from "./sqlNames";

interface Props {
  value: string;
  onChange?: (value: string) => void;
  language: "json" | "sql" | "python";
  schema?: unknown;
  /** For completion of SQL. */
  names?: Names;
  onRun?: () => void;
  onSelect?: (text: string) => void;
  label: string;
  height?: string;
}

const LIGHT = HighlightStyle.define([
  { tag: tags.propertyName, color: "#0000cc" },
  { tag: tags.string, color: "#aa1111" },
  { tag: [tags.number, tags.bool, tags.null], color: "#116644" },
  { tag: tags.keyword, color: "#770088" },
  { tag: tags.comment, color: "#5c6166" },
]);
const DARK = HighlightStyle.define([
  { tag: tags.propertyName, color: "#8ce99a" },
  { tag: tags.string, color: "#ffd8a8" },
  { tag: [tags.number, tags.bool, tags.null], color: "#91a7ff" },
  { tag: tags.keyword, color: "#74c0fc" },
  { tag: tags.comment, color: "#868e96" },
]);

/** It can be read, and not written, without `onChange` and where the settings are locked. */
export function Editor({ onChange, ...props }: Props) {
  const isLocked = useLocked();
  return <Writing key={isLocked ? "read" : "write"} {...props} {...(onChange && !isLocked && { onChange })} />;
}

/** A text that the screen has set, which nobody has typed. */
const given = Annotation.define<boolean>();

function Writing({ value, onChange, language, schema, names, onRun, onSelect, label, height = "420px" }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const parts = useRef({ change: onChange, run: onRun, select: onSelect });
  parts.current = { change: onChange, run: onRun, select: onSelect };
  const dynamic = useMemo(() => new Compartment(), []);
  const isDark = useComputedColorScheme("light") === "dark";
  const changing = useMemo(() => languageOf(language, schema, names, isDark), [language, schema, names, isDark]);

  useEffect(() => {
    const run = () => (parts.current.run?.(), true);
    const state = EditorState.create({
      doc: value,
      extensions: [
        lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), autocompletion(),
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...(onChange ? [indentWithTab] : [])]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.theme({ "&": { maxHeight: height }, ".cm-scroller": { overflow: "auto" }, ".cm-content": { minHeight: "90px" } }),
        EditorState.readOnly.of(!onChange),
        EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
          if (docChanged && !transactions.some((each) => each.annotation(given))) parts.current.change?.(state.doc.toString());
          if (docChanged || selectionSet) parts.current.select?.(state.sliceDoc(state.selection.main.from, state.selection.main.to));
        }),
        dynamic.of(changing),
      ],
    });
    view.current = new EditorView({ state, parent: place.current! });
    return () => view.current?.destroy();
  }, []); // eslint-disable-line

  useEffect(() => view.current?.dispatch({ effects: dynamic.reconfigure(changing) }), [changing, dynamic]);
  useEffect(() => {
    const current = view.current?.state.doc.toString();
    if (current !== undefined && current !== value) view.current?.dispatch({ changes: { from: 0, to: current.length, insert: value }, annotations: given.of(true) });
  }, [value]);
  return <div className="editor" ref={place} />;
}

function languageOf(language: Props["language"], schema: unknown, names: Props["names"], isDark: boolean): Extension[] {
  const colours = [syntaxHighlighting(isDark ? DARK : LIGHT), EditorView.darkTheme.of(isDark)];
  if (language === "sql") return [...sqlWith(names ?? {}), ...colours];
  if (language === "python") return [python(), indentUnit.of("    "), ...colours];
  const completed = schema ? [jsonLanguage.data.of({ autocomplete: completeJson(schema as Schema) })] : [];
  return [json(), ...completed, lintGutter(), linter(jsonParseLinter()), linter((view) => toDiagnostics(view, schema)), ...colours];
}

function toDiagnostics(view: EditorView, schema: unknown): Diagnostic[] {
  const text = view.state.doc.toString();
  return findProblems(text, schema).map((problem) => ({ ...locate(text, problem), severity: "warning", message: problem.message }));
}

/** Where the key of the problem is written, after the keys that it is in. */
function locate(text: string, problem: Problem): { from: number; to: number } {
  let from = 0;
  let to = Math.min(text.length, 1);
  for (const key of problem.path) {
    const written = JSON.stringify(String(key));
    const found = typeof key === "string" ? text.indexOf(written, from) : -1;
    if (found >= 0) [from, to] = [found, found + written.length];
  }
  return { from, to };
}
