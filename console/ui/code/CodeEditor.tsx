import styled from '@emotion/styled';
import { Suspense, useId } from 'react';
import { Bar, Delayed } from '../feedback/Skeletons';
import { FieldError, Help, Label } from '../forms/Field';
import { color, radius, space, type } from '../theme';
import { lazyWithRetry } from '../lazyWithRetry';

export interface Diagnostic {
  /** 1-based. */
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'info';
  message: string;
}

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  label: string;
  help?: string;
  /** For errors of the whole text, without a position. */
  error?: string | undefined;
  diagnostics?: readonly Diagnostic[];
  readOnly?: boolean;
  /** Initial height in pixels; users can drag it taller. */
  height?: number;
  placeholder?: string;
  language?: 'yaml' | 'plain';
  /** Line to start at, from 1: selected and scrolled to. */
  line?: number | undefined;
}

// CodeMirror has over 100 KB, so it loads only with pages that use an editor.
const Impl = lazyWithRetry(() => import('./CodeEditorImpl'));

const Box = styled('div')({ display: 'grid', gap: space(1.5), minWidth: 0 });
const Waiting = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  padding: space(4),
  backgroundColor: color.sunken,
  '& > div': { display: 'grid', gap: space(2) },
});
const Hint = styled('span')({ ...type.caption, display: 'block', color: color.faint });

/** An editor for Compose files and similar text. */
export function CodeEditor({ label, help, error, height = 360, ...rest }: CodeEditorProps) {
  const id = useId();
  return (
    <Box>
      <Label as="div" id={`${id}-label`}>
        {label}
      </Label>
      <Suspense
        fallback={
          <Waiting style={{ height }}>
            <Delayed role="status" aria-label="Loading the editor">
              <Bar w="30%" />
              <Bar w="45%" />
              <Bar w="38%" />
            </Delayed>
          </Waiting>
        }
      >
        <Impl {...rest} height={height} id={id} invalid={error !== undefined} />
      </Suspense>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <Help id={`${id}-help`}>
        {help}
        {!rest.readOnly && <Hint>Tab indents; press Esc, then Tab, to leave the editor.</Hint>}
      </Help>
    </Box>
  );
}
