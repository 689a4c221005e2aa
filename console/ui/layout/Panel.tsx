import styled from '@emotion/styled';
import { useId, type ReactNode } from 'react';
import { color, radius, space, type } from '../theme';

// The margin is for panels in forms, dialogs and single columns. Pages with several sections stack them with
// Sections.
const Root = styled('section')({ minWidth: 0, '* + &': { marginTop: space(8) } });
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
  minHeight: 32,
  marginBottom: space(3),
});
const Title = styled('h2')({ ...type.heading, flex: 1, minWidth: 0, overflowWrap: 'anywhere' });
const Sub = styled('p')({ ...type.small, color: color.muted, flexBasis: '100%' });
const Framed = styled('div')({
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
});

interface Props {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** Adds a thin border around the content: for side-by-side panels. Tables need none. */
  framed?: boolean;
  children: ReactNode;
}

/** A part of a page with its heading. */
export function Panel({ title, subtitle, actions, framed = false, children }: Props) {
  const id = useId();
  return (
    <Root aria-labelledby={id}>
      <Head>
        <Title id={id}>{title}</Title>
        {actions}
        {subtitle !== undefined && <Sub>{subtitle}</Sub>}
      </Head>
      {framed ? <Framed>{children}</Framed> : children}
    </Root>
  );
}
