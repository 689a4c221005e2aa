import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { color, radius, space, truncated, type, type ColorName } from '../theme';
import { Glyph } from './Glyph';
import type { Glyph as GlyphName, Tone } from './status';

export const toneText = (tone: Tone) => color[`${tone}Text` satisfies ColorName];
export const toneSoft = (tone: Tone) => color[`${tone}Soft` satisfies ColorName];
export const toneSolid = (tone: Tone) => color[`${tone}Solid` satisfies ColorName];

const hatched = `repeating-linear-gradient(-45deg, ${color.simulatedSoft} 0 5px, ${color.simulatedHatch} 5px 10px)`;

const Chip = styled('span', { shouldForwardProp: (prop) => prop !== 'tone' && prop !== 'quiet' })<{
  tone: Tone;
  quiet: boolean;
}>(({ tone, quiet }) => ({
  ...type.caption,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1),
  maxWidth: '100%',
  height: 22,
  verticalAlign: 'middle',
  padding: quiet ? 0 : `0 ${space(2)} 0 6px`,
  borderRadius: radius.small,
  fontWeight: 550,
  whiteSpace: 'nowrap',
  color: toneText(tone),
  background: quiet ? 'none' : tone === 'simulated' ? hatched : toneSoft(tone),
  boxShadow: tone === 'simulated' && !quiet ? `inset 0 0 0 1px ${color.simulatedSolid}` : 'none',
}));
const Icon = styled('span')({ display: 'inline-flex', fontSize: 14, flex: 'none' });
const Word = styled('span')(truncated);

interface ToneChipProps {
  tone: Tone;
  glyph: GlyphName;
  children: ReactNode;
  /** Icon and word without a background, for dense tables. Simulated states are never quiet. */
  quiet?: boolean;
  title?: string;
}

export function ToneChip({ tone, glyph, children, quiet = false, title }: ToneChipProps) {
  return (
    <Chip tone={tone} quiet={quiet && tone !== 'simulated'} title={title}>
      <Icon>
        <Glyph name={glyph} />
      </Icon>
      <Word>{children}</Word>
    </Chip>
  );
}
