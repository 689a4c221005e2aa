import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { color, space, type } from '../../ui/theme';

/** Things of a card one below the other. */
export const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

export const Text = styled('p')({ ...type.body, color: color.muted, textWrap: 'pretty' });

const Line = styled('div')({
  ...type.caption,
  display: 'grid',
  gridTemplateColumns: '1fr auto 1fr',
  alignItems: 'center',
  gap: space(3),
  color: color.faint,
  margin: `${space(5)} 0`,
  '&::before, &::after': { content: '""', borderTop: `1px solid ${color.line}` },
});

/** Between the first way to sign in and the others. */
export const Or = () => <Line>or</Line>;

const Address = styled('strong')({ fontWeight: 600, color: color.text, overflowWrap: 'anywhere' });

/** An e-mail address in a sentence. */
export const Email = ({ children }: { children: ReactNode }) => <Address>{children}</Address>;
