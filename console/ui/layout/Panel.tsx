import styled from '@emotion/styled';
import { useId, type ReactNode } from 'react';
import { color, radius, space, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';

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
// Without a visible title, the subtitle is beside the actions.
const SubBeside = styled(Sub)({ flex: '1 1 320px', minWidth: 0 });
const HiddenTitle = VisuallyHidden.withComponent('h2');
const Framed = styled('div')({
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
});

interface Props {
  title: string;
  /** Hides the heading from view: for a page's first section if the page's title says the same. */
  untitled?: boolean;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** Adds a thin border around the content: for side-by-side panels. Tables need none. */
  framed?: boolean;
  children: ReactNode;
}

/** A part of a page, named by its heading. */
export function Panel({ title, untitled = false, subtitle, actions, framed = false, children }: Props) {
  const id = useId();
  return (
    <Root aria-labelledby={id}>
      {untitled && <HiddenTitle id={id}>{title}</HiddenTitle>}
      {(!untitled || subtitle !== undefined || actions !== undefined) && (
        <Head>
          {!untitled && <Title id={id}>{title}</Title>}
          {untitled && subtitle !== undefined && <SubBeside>{subtitle}</SubBeside>}
          {actions}
          {!untitled && subtitle !== undefined && <Sub>{subtitle}</Sub>}
        </Head>
      )}
      {framed ? <Framed>{children}</Framed> : children}
    </Root>
  );
}
