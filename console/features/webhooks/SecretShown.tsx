import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { space } from '../../ui/theme';
import { SNIPPET } from './snippet';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Row = styled('div')({ display: 'flex', justifyContent: 'flex-end' });

/** The secret and how a receiver uses it. It closes by its one button, so that no stray click loses it. */
export function SecretShown({
  secret,
  children,
  onDone,
}: {
  secret: string;
  /** What to know of it. */
  children: ReactNode;
  onDone: () => void;
}) {
  return (
    <Stack>
      {children}
      <CodeBlock code={secret} title="Secret" />
      <CodeBlock code={SNIPPET} title="A receiver that checks it" maxHeight={280} />
      <Row>
        <Button variant="contained" color="primary" onClick={onDone}>
          I have copied it
        </Button>
      </Row>
    </Stack>
  );
}
