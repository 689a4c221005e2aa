import styled from '@emotion/styled';
import type { AdminPlacementCheck, AdminTeepodCheck } from '../../../generated/api/types.gen';
import { ToneChip } from '../../../console/ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../../console/ui/feedback/status';
import { color, radius, space, type } from '../../../console/ui/theme';

const List = styled('ul')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
});
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '104px minmax(0, 1fr)',
  gap: `${space(1)} ${space(3)}`,
  padding: `${space(3)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
  '@media (max-width: 480px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Name = styled('p')({ ...type.small, fontWeight: 550 });
const Found = styled('p')({ ...type.small, overflowWrap: 'anywhere' });
const Advice = styled('p')({
  ...type.small,
  color: color.muted,
  overflowWrap: 'anywhere',
});

const LOOKS: Readonly<Record<string, { tone: Tone; glyph: Glyph; word: string }>> = {
  passed: { tone: 'ok', glyph: 'check', word: 'Passed' },
  warning: { tone: 'attention', glyph: 'warning', word: 'Warning' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  skipped: { tone: 'neutral', glyph: 'dot', word: 'Skipped' },
};

type Check = AdminTeepodCheck['checks'][number] | AdminPlacementCheck;

/** Checks with findings and advice. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <List>
      {checks.map(({ name, title, state, found, advice }) => {
        const { tone, glyph, word } = LOOKS[state] ?? {
          tone: 'neutral',
          glyph: 'dot',
          word: state,
        };
        return (
          <Item key={name}>
            <span>
              <ToneChip tone={tone} glyph={glyph}>
                {word}
              </ToneChip>
            </span>
            <div>
              <Name>{title}</Name>
              <Found>{found}</Found>
              {advice !== null && <Advice>{advice}</Advice>}
            </div>
          </Item>
        );
      })}
    </List>
  );
}
