import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap, type Diagnostic as EditorDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { cspNonce } from '../nonce';
import { color, font, radius, shadow, type } from '../theme';
import type { Diagnostic } from './CodeEditor';

const highlight = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword, tags.typeName],
    color: color.codeKey,
  },
  { tag: [tags.string, tags.special(tags.string)], color: color.codeString },
  { tag: [tags.number, tags.bool, tags.null, tags.labelName, tags.meta], color: color.codeNumber },
  { tag: tags.comment, color: color.codeComment, fontStyle: 'italic' },
  { tag: tags.invalid, color: color.errorText },
]);

/**
 * Uses only CSS variables, so that light and dark need no second theme; and no data: images, which a strict CSP
 * would block.
 */
const look = EditorView.theme({
  '&': { height: '100%', fontSize: type.mono.fontSize, color: color.text, backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: font.mono,
    fontFeatureSettings: type.mono.fontFeatureSettings,
    lineHeight: type.mono.lineHeight,
    overflow: 'auto',
  },
  '.cm-content': { padding: '8px 0', caretColor: color.text },
  '.cm-line': { padding: '0 12px 0 4px' },
  '.cm-cursor': { borderLeftColor: color.text, borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: `color-mix(in srgb, ${color.accent} 26%, transparent)`,
  },
  '.cm-gutters': {
    backgroundColor: color.sunken,
    color: color.faint,
    borderRight: `1px solid ${color.line}`,
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 12px', minWidth: '36px' },
  '.cm-activeLine': { backgroundColor: `color-mix(in srgb, ${color.text} 4%, transparent)` },
  '.cm-activeLineGutter': { backgroundColor: color.hover, color: color.text },
  '.cm-foldGutter .cm-gutterElement': { color: color.faint, cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    backgroundColor: color.neutralSoft,
    color: color.muted,
    border: 0,
    padding: '0 6px',
    borderRadius: radius.small,
  },
  '.cm-placeholder': { color: color.faint },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: color.selected,
    outline: `1px solid ${color.control}`,
  },
  '.cm-selectionMatch': { backgroundColor: color.selected },
  '.cm-searchMatch': { backgroundColor: color.markSoft, color: color.markText },
  '.cm-searchMatch-selected': { backgroundColor: color.markCurrent, color: color.markText },
  '.cm-panels': { backgroundColor: color.sunken, color: color.text, fontFamily: font.sans },
  '.cm-panels-bottom': { borderTop: `1px solid ${color.line}` },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 12px', fontSize: '13px' },
  '.cm-textfield': {
    border: `1px solid ${color.control}`,
    borderRadius: radius.small,
    backgroundColor: color.surface,
    color: color.text,
    padding: '2px 6px',
  },
  '.cm-button': {
    border: `1px solid ${color.control}`,
    borderRadius: radius.small,
    backgroundColor: color.surface,
    backgroundImage: 'none',
    color: color.text,
    padding: '2px 8px',
  },
  '.cm-panel button[name=close]': { color: color.muted },
  '.cm-tooltip': {
    border: 0,
    borderRadius: radius.control,
    backgroundColor: color.raised,
    color: color.text,
    boxShadow: shadow.raised,
    fontFamily: font.sans,
    fontSize: '13px',
  },
  '.cm-diagnostic': {
    padding: '6px 10px',
    borderLeftWidth: '3px',
    whiteSpace: 'pre-wrap',
    maxWidth: '480px',
  },
  '.cm-diagnostic-error': { borderLeftColor: color.errorSolid },
  '.cm-diagnostic-warning': { borderLeftColor: color.attentionSolid },
  '.cm-diagnostic-info': { borderLeftColor: color.progressSolid },
  '.cm-lintRange': { backgroundImage: 'none', textUnderlineOffset: '3px', paddingBottom: 0 },
  '.cm-lintRange-error': { textDecoration: `underline wavy ${color.errorSolid} 1px` },
  '.cm-lintRange-warning': { textDecoration: `underline wavy ${color.attentionSolid} 1px` },
  '.cm-lintRange-info': { textDecoration: `underline dotted ${color.progressSolid} 1px` },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '6px 3px' },
  '.cm-lint-marker': { content: 'normal', width: '8px', height: '8px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'normal', backgroundColor: color.errorSolid },
  '.cm-lint-marker-warning': {
    content: 'normal',
    backgroundColor: color.attentionSolid,
    borderRadius: '1px',
    transform: 'rotate(45deg)',
  },
  '.cm-lint-marker-info': { content: 'normal', backgroundColor: color.progressSolid, borderRadius: '1px' },
});

/**
 * Extensions that never change. `indentWithTab` respects Esc-then-Tab, CodeMirror's way to leave the editor by
 * keyboard.
 */
export function baseExtensions(language: 'yaml' | 'plain'): Extension[] {
  const nonce = cspNonce();
  return [
    nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: false }),
    syntaxHighlighting(highlight),
    language === 'yaml' ? yaml() : [],
    keymap.of([
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    look,
  ];
}

export function modeExtensions({
  readOnly,
  placeholder,
  labelledBy,
  describedBy,
}: {
  readOnly: boolean;
  placeholder: string;
  labelledBy: string;
  describedBy: string;
}): Extension[] {
  return [
    EditorState.readOnly.of(readOnly),
    // Focusable even if read-only, so that keyboard users can scroll and copy.
    EditorView.contentAttributes.of({
      'aria-labelledby': labelledBy,
      'aria-describedby': describedBy,
      'aria-readonly': String(readOnly),
      tabindex: '0',
    }),
    EditorView.editable.of(!readOnly),
    placeholder === '' ? [] : placeholderText(placeholder),
  ];
}

/**
 * Positions outside the text (it changed after the check) are moved inside. An error marks the word at its
 * position.
 */
export function toCodeMirror(doc: Text, diagnostics: readonly Diagnostic[]): EditorDiagnostic[] {
  return diagnostics.map(({ line, column, severity, message }) => {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(at.from + Math.max(0, column - 1), at.to);
    const word = /^[^\s:]+/.exec(at.text.slice(from - at.from));
    return { from, to: Math.max(Math.min(from + (word?.[0].length ?? 1), at.to), from), severity, message };
  });
}
