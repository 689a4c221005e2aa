import styled from '@emotion/styled';
import { count } from '../../lib/texts/count';
import { timeWords, type ChartFrame } from '../../ui/charts/chart';
import { markersIn } from '../../ui/charts/markers';
import { usePointing } from '../../ui/charts/usePointing';
import { exactTime } from '../../ui/data/time';
import { TextLink } from '../../ui/link';
import { color, focusRing, space, tabular, type } from '../../ui/theme';
import type { Changes } from './changes';

const Details = styled('details')({
  '& > summary': { ...type.small, color: color.muted, cursor: 'pointer', width: 'fit-content' },
  '& > summary:focus-visible': focusRing,
});
const List = styled('ul')({ ...type.small, display: 'grid', marginTop: space(2), maxWidth: 640 });
const Item = styled('li')({
  display: 'flex',
  gap: space(4),
  padding: `${space(0.5)} ${space(1)}`,
  '&:hover': { backgroundColor: color.hover },
});
const Time = styled('span')({ ...tabular, color: color.muted, whiteSpace: 'nowrap' });
const Note = styled('p')({ ...type.small, color: color.muted });

/** The markers' texts, each with its link. Hovering over one shows the charts' values at that time. */
export function ChangeList({ changes, frame }: { changes: Changes; frame: ChartFrame }) {
  const pointing = usePointing(frame);
  const items = markersIn(changes.markers.items, frame);
  if (changes.failed) return <Note>Couldn’t load the changes in this period.</Note>;
  if (items.length === 0) return null;
  return (
    <Details>
      <summary>
        {items.length === 1 ? '1 change' : `${count(items.length)} changes`} in this period
        {changes.incomplete ? ', older ones not shown' : ''}
      </summary>
      <List>
        {items.map((marker) => (
          <Item key={marker.id} {...pointing(marker.at)}>
            <Time title={exactTime(marker.at)}>{timeWords(marker.at, frame)}</Time>
            <TextLink href={changes.markers.hrefOf([marker])}>{marker.label}</TextLink>
          </Item>
        ))}
      </List>
    </Details>
  );
}
