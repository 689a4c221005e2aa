import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { color, space, tabular, type } from '../theme';

const List = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 152px), 1fr))',
  gap: `${space(4)} ${space(6)}`,
});
const Term = styled('dt')({ ...type.caption, color: color.muted });
const Value = styled('dd')({
  ...type.body,
  ...tabular,
  marginTop: space(0.5),
  minWidth: 0,
  overflowWrap: 'anywhere',
  // Avoids a single word on the last line.
  textWrap: 'balance',
});
const Item = styled('div')({ minWidth: 0 });

export interface Fact {
  label: string;
  value: ReactNode;
  /** Spans two columns: for an address or a long name. */
  wide?: boolean;
}

/** Facts side by side, with small labels above the values: the summary strip at the top of a page. */
export function KeyValue({ facts }: { facts: readonly Fact[] }) {
  return (
    <List>
      {facts.map((fact) => (
        <Item key={fact.label} style={fact.wide ? { gridColumn: 'span 2' } : undefined}>
          <Term>{fact.label}</Term>
          <Value>{fact.value}</Value>
        </Item>
      ))}
    </List>
  );
}
