import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { CopyButton } from '../controls/CopyButton';
import { color, radius, space, type } from '../theme';

const Box = styled('figure')({
  position: 'relative',
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  backgroundColor: color.sunken,
  overflow: 'hidden',
});
const Caption = styled('figcaption')({
  ...type.caption,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: space(2),
  minHeight: 36,
  padding: `${space(1)} ${space(2)} ${space(1)} ${space(4)}`,
  color: color.muted,
  borderBottom: `1px solid ${color.line}`,
});
// The title may be a user's long word, which must not push the button out.
const Title = styled('span')({ minWidth: 0, overflowWrap: 'anywhere' });
const Pre = styled('pre')({
  ...type.mono,
  margin: 0,
  padding: `${space(3)} ${space(4)}`,
  overflow: 'auto',
  color: color.text,
  tabSize: 2,
  '&[data-wrap]': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});
const Corner = styled('div')({ position: 'absolute', top: space(2), right: space(2) });

/** Read-only text to copy: commands, hashes, responses. */
export function CodeBlock({
  code,
  title,
  label,
  maxHeight,
  wrap = false,
  children = code,
}: {
  code: string;
  title?: string;
  label?: string;
  maxHeight?: number;
  /** Wraps long lines: for text that is read rather than compared. */
  wrap?: boolean;
  /** The same text with links. */
  children?: ReactNode;
}) {
  const what = title ?? label ?? 'code';
  return (
    <Box>
      {title === undefined ? (
        <Corner>
          <CopyButton text={code} what={what} />
        </Corner>
      ) : (
        <Caption>
          <Title>{title}</Title>
          <CopyButton text={code} what={what} />
        </Caption>
      )}
      <Pre
        tabIndex={0}
        aria-label={what}
        data-wrap={wrap || undefined}
        style={{ maxHeight, paddingRight: title === undefined ? 44 : undefined }}
      >
        {children}
      </Pre>
    </Box>
  );
}
