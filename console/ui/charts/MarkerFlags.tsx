import styled from '@emotion/styled';
import { Tip } from '../controls/Tip';
import { EventIcon } from '../data/EventIcon';
import { Link } from '../link';
import { color, focusRing, radius } from '../theme';
import { timeWords, type ChartFrame } from './chart';
import { groupLabel, type ChartMarkers, type MarkerGroup } from './markers';
import { xAt, type Box } from './scale';
import { usePointing } from './usePointing';

/** Large enough to click; also the minimum distance between groups of markers. */
export const FLAG_WIDTH = 24;

// Above the plot, which is a slider and can't contain links.
const List = styled('ul')({ position: 'absolute', insetInline: 0, top: 0, height: 0 });
const Item = styled('li')({ position: 'absolute', top: 0, width: FLAG_WIDTH, height: 20 });
const Flag = styled(Link)({
  display: 'flex',
  justifyContent: 'center',
  height: '100%',
  paddingTop: 1,
  borderRadius: radius.small,
  color: color.muted,
  fontSize: 11,
  fontWeight: 600,
  lineHeight: '14px',
  textDecoration: 'none',
  '& > span': {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    minWidth: 16,
    height: 16,
    padding: '0 3px',
    borderRadius: radius.small,
    backgroundColor: color.surface,
    boxShadow: `inset 0 0 0 1px ${color.neutralSolid}`,
  },
  '&:hover > span': { backgroundColor: color.selected },
  '&:focus-visible': focusRing,
});

/** The icon of a single change, or the number of changes. */
function Face({ markers }: Pick<MarkerGroup, 'markers'>) {
  const [only] = markers;
  if (only === undefined || markers.length > 1) return markers.length;
  return <EventIcon kind={only.kind} severity={only.failed ? 'error' : 'info'} />;
}

interface Props {
  groups: readonly MarkerGroup[];
  hrefOf: ChartMarkers['hrefOf'];
  frame: ChartFrame;
  box: Box;
  /** Whether they are in the tab order, as in one chart of a grid; the others only support the pointer. */
  reachable: boolean;
}

/** A flag on each marker line that describes the change and links to it. */
export function MarkerFlags({ groups, hrefOf, frame, box, reachable }: Props) {
  const pointing = usePointing(frame);
  if (groups.length === 0) return null;
  return (
    <List aria-label="Changes" aria-hidden={!reachable}>
      {groups.map((group) => {
        const label = `${groupLabel(group)} · ${timeWords(group.at, frame)}`;
        return (
          <Item
            key={group.at}
            style={{ left: xAt(group.at, frame, box) - FLAG_WIDTH / 2 }}
            {...pointing(group.at)}
          >
            <Tip text={label}>
              <Flag href={hrefOf(group.markers)} aria-label={label} tabIndex={reachable ? undefined : -1}>
                <span>
                  <Face markers={group.markers} />
                </span>
              </Flag>
            </Tip>
          </Item>
        );
      })}
    </List>
  );
}
