import { brandName } from '../brand/installation';
import styled from '@emotion/styled';
import { createContext, useContext, type ReactNode } from 'react';
import { mainId } from '../announce';
import { Wordmark } from '../brand/Mark';
import { ConnectionBanner } from '../feedback/ConnectionBanner';
import { Link } from '../link';
import type { Move } from './moves';
import { useFirstFrame } from './useFirstFrame';
import { useKeyHelp } from './useKeyHelp';
import { below, color, size, space, type } from '../theme';

const Root = styled('div')({
  minHeight: '100dvh',
  display: 'flex',
  flexDirection: 'column',
  backgroundColor: color.canvas,
});
const Top = styled('header')({
  display: 'flex',
  alignItems: 'center',
  gap: space(4),
  height: 64,
  padding: `0 ${space(8)}`,
  [below.phone]: { padding: `0 ${space(4)}` },
});
const Brand = styled(Link)({ textDecoration: 'none', marginRight: 'auto' });
const wideMain = {
  padding: `${space(6)} ${space(8)} ${space(16)}`,
  [below.phone]: { padding: `${space(4)} ${space(4)} ${space(16)}` },
};
const Main = styled('main', { shouldForwardProp: (prop) => prop !== 'wide' })<{ wide: boolean }>(
  ({ wide }) => ({
    flex: 1,
    display: 'grid',
    justifyItems: 'center',
    alignContent: 'start',
    padding: `clamp(24px, 9vh, 112px) ${space(4)} ${space(16)}`,
    outline: 'none !important',
    ...(wide ? wideMain : {}),
  }),
);
// Public pages are less dense, with taller controls.
const Card = styled('div')({
  '--control-height': size.controlLarge,
  width: '100%',
  maxWidth: 400,
  minWidth: 0,
});
const Title = styled('h1')({
  ...type.display,
  fontSize: '28px',
  lineHeight: '36px',
  margin: `0 0 ${space(2)}`,
  textWrap: 'balance',
  overflowWrap: 'anywhere',
});
const Sub = styled('p')({
  ...type.body,
  color: color.muted,
  marginBottom: space(6),
  textWrap: 'pretty',
  overflowWrap: 'anywhere',
});
const After = styled('div')({
  ...type.body,
  color: color.muted,
  marginTop: space(6),
  paddingTop: space(5),
  borderTop: `1px solid ${color.line}`,
});
const Foot = styled('footer')({
  ...type.caption,
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(4),
  padding: `${space(5)} ${space(8)}`,
  color: color.muted,
  [below.phone]: { padding: `${space(5)} ${space(4)}` },
});

interface FrameProps {
  homeHref?: string;
  /** Links and the theme choice, on the right. */
  top?: ReactNode;
  footer?: ReactNode;
  /** For a page that fills the window instead of a small centered form. */
  wide?: boolean;
  /** Pages that can be opened with "g" and a letter. */
  moves?: readonly Move[];
  children: ReactNode;
}

/** Shown above every public page; provided once by the app. */
export const PublicNotice = createContext<ReactNode>(null);

/** The frame of pages for signed-out users. */
export function PublicFrame({ homeHref = '/', top, footer, wide = false, moves = [], children }: FrameProps) {
  useFirstFrame();
  const keyHelp = useKeyHelp(moves, { onGo: (href) => location.assign(href), isApp: false });
  return (
    <Root>
      <ConnectionBanner />
      {useContext(PublicNotice)}
      <Top>
        <Brand href={homeHref} aria-label={`${brandName()}, home`}>
          <Wordmark />
        </Brand>
        {top}
      </Top>
      <Main id={mainId} tabIndex={-1} wide={wide}>
        {children}
      </Main>
      {footer !== undefined && <Foot>{footer}</Foot>}
      {keyHelp}
    </Root>
  );
}

interface CardProps {
  title: string;
  subtitle?: ReactNode;
  /** "No account yet? Register": below a separator. */
  after?: ReactNode;
  children: ReactNode;
}

/** A small form on a public page: sign in, register, reset. */
export function PublicCard({ title, subtitle, after, children }: CardProps) {
  return (
    <Card>
      <Title>{title}</Title>
      {subtitle !== undefined && <Sub>{subtitle}</Sub>}
      {children}
      {after !== undefined && <After>{after}</After>}
    </Card>
  );
}
