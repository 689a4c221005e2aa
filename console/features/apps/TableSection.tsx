import styled from '@emotion/styled';
import { useId, type ReactNode } from 'react';
import { type } from '../../ui/theme';

const Section = styled('section')({ minWidth: 0 });
const Title = styled('h2')({ ...type.heading });

/** A section with one table, whose toolbar holds the heading. */
export function TableSection({
  title,
  children,
}: {
  title: string;
  children: (heading: ReactNode) => ReactNode;
}) {
  const id = useId();
  return <Section aria-labelledby={id}>{children(<Title id={id}>{title}</Title>)}</Section>;
}
