import styled from '@emotion/styled';
import { useState } from 'react';
import { Button } from '../../console/ui/controls/Button';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { Glyph } from '../../console/ui/feedback/Glyph';
import { toneText } from '../../console/ui/feedback/ToneChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, radius, space, type } from '../../console/ui/theme';
import type { Concern } from './attention';
import { Icon, Since } from './itemStyles';

const SHOWN = 6;

const Root = styled('div')({ marginBottom: space(8) });
const List = styled('ul')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
});
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  columnGap: space(3),
  padding: `${space(2)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
});
const Detail = styled('p')({
  ...type.small,
  // Below title and time, which leave little space beside them on a phone.
  gridColumn: '2 / -1',
  color: color.muted,
  overflowWrap: 'anywhere',
});
const Fine = styled('p')({
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  gap: space(2),
  color: color.muted,
  '& svg': { color: color.okText, fontSize: 16 },
});

interface Props {
  concerns: readonly Concern[];
  /** Whether everything the user can read has loaded: otherwise the page doesn't claim that all is well. */
  complete: boolean;
  /** Whether the user's role includes operations; otherwise the page says what it doesn't cover. */
  seesFleet: boolean;
  seesOperations: boolean;
}

export function Concerns({ concerns, complete, seesFleet, seesOperations }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? concerns : concerns.slice(0, SHOWN);
  return (
    <Root>
      <Panel title="Needs attention">
        {concerns.length === 0 ? (
          complete ? (
            <Fine>
              <Glyph name="check" />{' '}
              {seesFleet
                ? `All hosts respond and have free capacity${seesOperations ? ', and no operation failed because of the platform in the last 24 hours' : ''}.`
                : 'Nothing needs attention now.'}
            </Fine>
          ) : (
            <Fine>Nothing found so far. Some checks couldn’t be loaded.</Fine>
          )
        ) : (
          <List>
            {shown.map((concern) => (
              <Item key={concern.key}>
                <Icon style={{ color: toneText(concern.tone) }}>
                  <Glyph name={concern.tone === 'error' ? 'cross' : 'warning'} />
                </Icon>
                <span>
                  <TextLink href={concern.href}>{concern.title}</TextLink>
                </span>
                {concern.since !== null && (
                  <Since>
                    last seen <RelativeTime at={concern.since} />
                  </Since>
                )}
                <Detail>{concern.detail}</Detail>
              </Item>
            ))}
          </List>
        )}
        {concerns.length > shown.length && (
          <Button size="small" variant="text" style={{ marginTop: space(2) }} onClick={() => setAll(true)}>
            Show all {concerns.length}
          </Button>
        )}
      </Panel>
    </Root>
  );
}
