import DoneRounded from '@mui/icons-material/DoneRounded';
import { styled } from '@mui/material/styles';
import type { Notification } from '../../../generated/api/types.gen';
import { IconAction } from '../../ui/controls/IconAction';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Glyph } from '../../ui/feedback/Glyph';
import { Link } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { hrefOf } from './words';

const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) 28px',
  columnGap: space(2.5),
  padding: `${space(2.5)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '&:last-of-type': { borderBottom: 0 },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 14 });
const Title = styled(Link)({
  ...type.body,
  display: 'block',
  color: color.text,
  textDecoration: 'none',
  overflowWrap: 'anywhere',
  '&:hover': { textDecoration: 'underline' },
  '&[data-unread]': { fontWeight: 600 },
});
const Text = styled('p')({
  ...type.small,
  color: color.muted,
  overflowWrap: 'anywhere',
  display: '-webkit-box',
  WebkitLineClamp: 3,
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
});
const Sub = styled('p')({ ...type.small, color: color.muted });

const looks = {
  info: { glyph: 'dot', ink: color.neutralSolid, word: '' },
  warning: { glyph: 'warning', ink: color.attentionText, word: 'Warning: ' },
  error: { glyph: 'cross', ink: color.errorText, word: 'Error: ' },
  over: { glyph: 'check', ink: color.okText, word: 'Over: ' },
} as const;

interface Props {
  notification: Notification;
  /** Its link was followed. */
  onFollow: () => void;
  onRead: () => void;
}

export function NotificationRow({ notification, onFollow, onRead }: Props) {
  const { title, message, severity, team, count, updated_at, resolved_at, read_at } = notification;
  const { glyph, ink, word } = looks[resolved_at === null ? severity : 'over'];
  const unread = read_at === null;
  return (
    <Item>
      <Icon style={{ color: ink }}>
        <Glyph name={glyph} />
      </Icon>
      <div>
        <Title href={hrefOf(notification)} data-unread={unread || undefined} onClick={onFollow}>
          <VisuallyHidden>
            {unread ? 'Unread. ' : ''}
            {word}
          </VisuallyHidden>
          {title}
        </Title>
        {message !== title && <Text title={message}>{message}</Text>}
        <Sub>
          {team.name} · <RelativeTime at={updated_at} />
          {count > 1 && ` · ${count} times`}
          {resolved_at !== null && (
            <>
              {' '}
              · over <RelativeTime at={resolved_at} />
            </>
          )}
        </Sub>
      </div>
      {unread && (
        <IconAction size="small" label="Mark read" onClick={onRead}>
          <DoneRounded fontSize="small" />
        </IconAction>
      )}
    </Item>
  );
}
