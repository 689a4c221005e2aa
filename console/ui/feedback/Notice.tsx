import XIcon from 'lucide-react/icons/x';
import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { IconAction } from '../controls/IconAction';
import { below, radius, space, type, color } from '../theme';
import { Glyph } from './Glyph';
import { toneSoft, toneText } from './ToneChip';
import type { Glyph as GlyphName, Tone } from './status';

const Box = styled('div', { shouldForwardProp: (prop) => prop !== 'tone' && prop !== 'bar' })<{
  tone: Tone;
  bar: boolean;
}>(({ tone, bar }) => ({
  ...type.body,
  display: 'flex',
  // A bar is one line with a button, which is taller than the text.
  alignItems: bar ? 'center' : 'flex-start',
  gap: space(2),
  padding: bar ? `${space(2)} ${space(3)} ${space(2)} ${space(6)}` : `${space(2.5)} ${space(3)}`,
  borderRadius: bar ? 0 : radius.panel,
  backgroundColor: toneSoft(tone),
  color: color.text,
  // The action goes below the text instead of squeezing it.
  [below.phone]: { flexWrap: 'wrap' },
}));
const Icon = styled('span')({
  display: 'inline-flex',
  height: 20,
  alignItems: 'center',
  fontSize: 16,
  flex: 'none',
});
const Body = styled('div')({
  flex: 1,
  minWidth: 0,
  overflowWrap: 'anywhere',
  [below.phone]: { minWidth: 'min(220px, calc(100% - 24px))' },
});
const Title = styled('strong')({ fontWeight: 600, marginRight: space(2) });

const glyphs: Record<Tone, GlyphName> = {
  ok: 'check',
  attention: 'warning',
  error: 'cross',
  progress: 'info',
  simulated: 'hatch',
  neutral: 'info',
};

interface Props {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  onDismiss?: () => void;
  /** Spans the page below the top bar: an announcement. */
  bar?: boolean;
}

/** Information that isn't an error from the user's last action. */
export function Notice({ tone, title, children, action, onDismiss, bar = false }: Props) {
  return (
    <Box tone={tone} bar={bar} role="note">
      <Icon style={{ color: toneText(tone) }}>
        <Glyph name={glyphs[tone]} />
      </Icon>
      <Body>
        {title !== undefined && <Title>{title}</Title>}
        {children}
      </Body>
      {action}
      {onDismiss && (
        <IconAction size="small" label="Dismiss" style={{ margin: -2 }} onClick={onDismiss}>
          <XIcon />
        </IconAction>
      )}
    </Box>
  );
}
