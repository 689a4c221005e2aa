import { Compartment, EditorState } from '@codemirror/state';
import { setDiagnostics } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import styled from '@emotion/styled';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Glyph } from '../feedback/Glyph';
import { color, radius, space, type } from '../theme';
import type { CodeEditorProps, Diagnostic } from './CodeEditor';
import { baseExtensions, modeExtensions, toCodeMirror } from './extensions';

const Frame = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  minHeight: 96,
  minWidth: 0,
  overflow: 'hidden',
  resize: 'vertical',
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  backgroundColor: color.surface,
  '&:focus-within': { outline: `2px solid ${color.focus}`, outlineOffset: '-1px' },
  '&[data-invalid="true"]': { borderColor: color.errorSolid },
  '&[data-readonly="true"]': { borderColor: color.line },
});
const Host = styled('div')({ flex: 1, minHeight: 0, minWidth: 0 });
const Problems = styled('ul')({
  flex: 'none',
  maxHeight: 120,
  overflowY: 'auto',
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.sunken,
});
const Problem = styled('button')({
  ...type.small,
  display: 'flex',
  gap: space(2),
  width: '100%',
  padding: `${space(1)} ${space(3)}`,
  border: 0,
  background: 'none',
  color: color.text,
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { backgroundColor: color.hover },
  '&:focus-visible': { outlineOffset: '-2px' },
});
const Icon = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  height: 20,
  fontSize: 14,
  flex: 'none',
});
const Place = styled('code')({ ...type.mono, color: color.muted, flex: 'none', minWidth: 48 });
const inks = { error: color.errorText, warning: color.attentionText, info: color.progressText };
const glyphs = { error: 'cross', warning: 'warning', info: 'info' } as const;

interface Props extends Omit<CodeEditorProps, 'label' | 'help' | 'error'> {
  id: string;
  invalid: boolean;
  height: number;
}

const none: readonly Diagnostic[] = [];

export default function CodeEditorImpl({
  value,
  onChange,
  diagnostics = none,
  readOnly = false,
  height,
  placeholder = '',
  language = 'yaml',
  id,
  invalid,
  line,
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const mode = useRef(new Compartment());
  const onEdit = useEffectEvent((text: string) => onChange?.(text));

  // The editor owns its text while mounted; React only passes changes from outside.
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          baseExtensions(language),
          mode.current.of(
            modeExtensions({ readOnly, placeholder, labelledBy: `${id}-label`, describedBy: `${id}-help` }),
          ),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.isUserEvent('outside')))
              onEdit(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the effects below follow the rest
  }, [language, id]);

  useEffect(() => {
    view.current?.dispatch({
      effects: mode.current.reconfigure(
        modeExtensions({ readOnly, placeholder, labelledBy: `${id}-label`, describedBy: `${id}-help` }),
      ),
    });
  }, [readOnly, placeholder, id]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      userEvent: 'outside',
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toCodeMirror(editor.state.doc, diagnostics)));
  }, [diagnostics, value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || line === undefined || line > editor.state.doc.lines) return;
    const { from, to } = editor.state.doc.line(line);
    editor.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    editor.focus();
  }, [line]);

  const goTo = (diagnostic: Diagnostic) => {
    const editor = view.current;
    if (!editor) return;
    const at = toCodeMirror(editor.state.doc, [diagnostic])[0]!;
    editor.dispatch({
      selection: { anchor: at.from },
      effects: EditorView.scrollIntoView(at.from, { y: 'center' }),
    });
    editor.focus();
  };

  return (
    <Frame
      style={{ height }}
      data-invalid={invalid || diagnostics.some((one) => one.severity === 'error')}
      data-readonly={readOnly}
      // It lets Tab leave the editor, or closes its search: a dialog around it stays open.
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !readOnly) event.stopPropagation();
      }}
    >
      <Host ref={host} />
      {diagnostics.length > 0 && (
        <Problems aria-label="Problems">
          {diagnostics.map((one) => (
            <li key={`${one.line}:${one.column} ${one.message}`}>
              <Problem type="button" onClick={() => goTo(one)}>
                <Icon style={{ color: inks[one.severity] }}>
                  <Glyph name={glyphs[one.severity]} />
                </Icon>
                <Place>
                  {one.line}:{one.column}
                </Place>
                <span>{one.message}</span>
              </Problem>
            </li>
          ))}
        </Problems>
      )}
    </Frame>
  );
}
