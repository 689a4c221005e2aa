import styled from '@emotion/styled';
import { TextLink } from '../link';
import { color, space, type } from '../theme';

const Line = styled('p')({
  ...type.small,
  color: color.muted,
  marginTop: space(10),
  overflowWrap: 'anywhere',
});

/** Declares the canonical address of a page with several: for crawlers, and for users if `shown`. */
export function CanonicalLink({ href, shown = true }: { href: string; shown?: boolean }) {
  return (
    <>
      {/* React moves it to the document's head. */}
      <link rel="canonical" href={new URL(href, location.origin).href} />
      {shown && (
        <Line>
          Team address of this page: <TextLink href={href}>{href}</TextLink>
        </Line>
      )}
    </>
  );
}
