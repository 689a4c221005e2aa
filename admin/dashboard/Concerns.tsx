import { styled } from '@mui/material/styles';
import { useState } from 'react';
import Button from '@mui/material/Button';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { Glyph } from '../../console/ui/feedback/Glyph';
import { toneText } from '../../console/ui/feedback/StatusChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, radius, space, type } from '../../console/ui/theme';
import type { Concern } from './attention';

const SHOWN = 4;

const Root = styled('div')({ marginBottom: space(8) });
const List = styled('ul')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
});
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  gap: `${space(1)} ${space(3)}`,
  padding: `${space(3)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
});
const Icon = styled('span')({ display: 'inline-flex', alignItems: 'center', height: 20, fontSize: 16 });
const Detail = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Since = styled('span')({ ...type.caption, color: color.muted, lineHeight: '20px' });
const Fine = styled('p')({
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  gap: space(2),
  color: color.muted,
  '& svg': { color: color.okText, fontSize: 16 },
});

export function Concerns({ concerns }: { concerns: readonly Concern[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? concerns : concerns.slice(0, SHOWN);
  return (
    <Root>
      <Panel title="What needs a person">
        {concerns.length === 0 ? (
          <Fine>
            <Glyph name="check" /> Every host in use answers, has room and warns of nothing.
          </Fine>
        ) : (
          <List>
            {shown.map((concern) => (
              <Item key={concern.key}>
                <Icon style={{ color: toneText(concern.tone) }}>
                  <Glyph name={concern.tone === 'error' ? 'cross' : 'warning'} />
                </Icon>
                <div>
                  <TextLink href={concern.href}>{concern.title}</TextLink>
                  <Detail>{concern.detail}</Detail>
                </div>
                {concern.since !== null && (
                  <Since>
                    last seen <RelativeTime at={concern.since} />
                  </Since>
                )}
              </Item>
            ))}
          </List>
        )}
        {concerns.length > shown.length && (
          <Button size="small" variant="text" sx={{ mt: 2 }} onClick={() => setAll(true)}>
            Show all {concerns.length}
          </Button>
        )}
      </Panel>
    </Root>
  );
}
