import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { color, radius, space, type } from '../theme';

const Item = styled('li')({
  display: 'grid',
  gap: space(1),
  padding: `${space(3)} ${space(4)}`,
  borderRadius: radius.panel,
  border: `1px solid ${color.line}`,
  '&[data-role=user]': { backgroundColor: color.sunken },
});
const Who = styled('strong')({ ...type.caption, color: color.muted });
const Text = styled('p')({ ...type.body, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' });

interface Props {
  /** Name of the other side; null for the user's own message. */
  from: string | null;
  text: string;
  /** Facts about an answer. */
  children?: ReactNode;
}

/** A message or answer in a `Conversation`. */
export function Turn({ from, text, children }: Props) {
  return (
    <Item data-role={from === null ? 'user' : 'other'}>
      <Who>{from ?? 'You'}</Who>
      <Text>{text}</Text>
      {children}
    </Item>
  );
}
