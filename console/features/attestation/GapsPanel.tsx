import styled from '@emotion/styled';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import type { Gap } from '../../lib/attestation/gaps';

const List = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 280px), 1fr))',
  gap: `${space(4)} ${space(6)}`,
});
const Term = styled('dt')({ ...type.body, fontWeight: 550 });
const Text = styled('dd')({ ...type.small, color: color.muted, maxWidth: '64ch', overflowWrap: 'anywhere' });

export function GapsPanel({ gaps }: { gaps: readonly Gap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Panel title="Not covered">
      <List>
        {gaps.map(({ what, why }) => (
          <div key={what}>
            <Term>{what}</Term>
            <Text>{why}</Text>
          </div>
        ))}
      </List>
    </Panel>
  );
}
