import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { color, space, type } from '../../../ui/theme';

/** Stacks the parts of a card. */
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

/** Divider between the password form and the other ways to sign in. */
export const Or = () => <Line>or</Line>;

const Address = styled('strong')({ fontWeight: 600, color: color.text, overflowWrap: 'anywhere' });

/** An email address in running text. */
export const Email = ({ children }: { children: ReactNode }) => <Address>{children}</Address>;
