import styled from '@emotion/styled';
import type { AdminFleetRegion } from '../../../generated/api/types.gen';
import { count } from '../../../console/lib/texts/count';
import { CapacityBar } from '../../../console/ui/data/Meter';
import { ToneChip } from '../../../console/ui/feedback/ToneChip';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, radius, space, type } from '../../../console/ui/theme';
import { adminHref } from '../../paths';
import { regionName } from './regionName';
import { MoreLink } from './MoreLink';

const Grid = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 240px), 1fr))',
  gap: space(3),
});
const Card = styled('button')({
  ...type.body,
  display: 'grid',
  gap: space(2),
  width: '100%',
  padding: space(3),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  background: 'none',
  color: 'inherit',
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { backgroundColor: color.hover },
  '&[aria-pressed="true"]': {
    borderColor: color.accent,
    backgroundColor: color.sunken,
  },
});
const Line = styled('span')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});
const Name = styled('span')({
  ...type.body,
  fontWeight: 550,
  flex: 1,
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Sub = styled('span')({ ...type.caption, color: color.muted });

interface Props {
  regions: readonly AdminFleetRegion[];
  /** Regions, including ones that aren't listed. */
  total: number;
  chosen: string | null;
  /** Null selects all regions, an empty name selects nodes without one. */
  choose: (region: string | null) => void;
}

/** Totals by region; choosing one filters the nodes below. */
export function Regions({ regions, total, chosen, choose }: Props) {
  if (regions.length < 2) return null;
  return (
    <Panel title="Regions">
      <Grid>
        {regions.map(({ region, nodes, teepods, attention, sums }) => (
          <li key={region ?? ''}>
            <Card
              type="button"
              aria-pressed={chosen === (region ?? '')}
              onClick={() => choose(chosen === (region ?? '') ? null : (region ?? ''))}
            >
              <Line>
                <Name>{regionName(region)}</Name>
                {attention > 0 && (
                  <ToneChip quiet tone="attention" glyph="warning" title="Nodes that need attention">
                    {count(attention)}
                  </ToneChip>
                )}
              </Line>
              <Sub>
                {count(nodes)} {nodes === 1 ? 'node' : 'nodes'}, {count(teepods)}{' '}
                {teepods === 1 ? 'teepod' : 'teepods'}
              </Sub>
              <CapacityBar label="vCPU" used={sums.used_vcpu} total={sums.max_vcpu} unit="" />
            </Card>
          </li>
        ))}
      </Grid>
      <MoreLink
        listed={regions.length}
        total={total}
        noun={['region', 'regions']}
        href={adminHref.list('nodes')}
      />
    </Panel>
  );
}
