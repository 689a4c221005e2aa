import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { space } from '../../ui/theme';
import { SNIPPET } from './snippet';
import { DialogActions } from '../../ui/forms/DialogActions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

/** The secret and an example receiver. Closes only through its button, so no stray click loses the secret. */
export function SecretShown({
  secret,
  children,
  onDone,
}: {
  secret: string;
  /** Notice above the secret. */
  children: ReactNode;
  onDone: () => void;
}) {
  return (
    <Stack>
      {children}
      <CodeBlock code={secret} title="Secret" />
      <CodeBlock code={SNIPPET} title="Example receiver" maxHeight={280} />
      <DialogActions>
        <Button variant="contained" onClick={onDone}>
          I’ve copied it
        </Button>
      </DialogActions>
    </Stack>
  );
}
