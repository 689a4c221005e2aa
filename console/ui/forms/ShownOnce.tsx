import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { CodeBlock } from '../code/CodeBlock';
import { Button } from '../controls/Button';
import { Notice } from '../feedback/Notice';
import type { Tone } from '../feedback/status';
import { space } from '../theme';
import { DialogActions } from './DialogActions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

interface Props {
  /** Above the codes. */
  notice?: { tone?: Tone; title: string; text: ReactNode } | undefined;
  codes: readonly { title: string; code: string; maxHeight?: number }[];
  /** Below the codes. */
  children?: ReactNode;
  onDone: () => void;
}

/**
 * A secret to copy, with related content, inside a `FormDialog` without `onClose`: it closes only through this
 * button, so that no stray click loses the secret.
 */
export function ShownOnce({ notice, codes, children, onDone }: Props) {
  return (
    <Stack>
      {notice && (
        <Notice tone={notice.tone ?? 'attention'} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      {codes.map((code) => (
        <CodeBlock key={code.title} {...code} />
      ))}
      {children}
      <DialogActions>
        <Button variant="contained" onClick={onDone}>
          I’ve copied it
        </Button>
      </DialogActions>
    </Stack>
  );
}
