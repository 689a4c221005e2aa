import { styled } from '@mui/material/styles';
import { useId, type ReactNode } from 'react';
import { space, type } from '../../ui/theme';

const Section = styled('section')({ minWidth: 0, '& + &': { marginTop: space(8) } });
const Title = styled('h2')({ ...type.heading });

/** A part that is one table: its heading stands in the table's own bar, which saves a line. */
export function Part({ title, children }: { title: string; children: (heading: ReactNode) => ReactNode }) {
  const id = useId();
  return <Section aria-labelledby={id}>{children(<Title id={id}>{title}</Title>)}</Section>;
}
