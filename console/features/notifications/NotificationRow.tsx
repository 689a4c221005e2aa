import CheckIcon from 'lucide-react/icons/check';
import styled from '@emotion/styled';
import { curly } from '../../lib/texts/curly';
import type { Notification } from '../../../generated/api/types.gen';
import { Button } from '../../ui/controls/Button';
import { IconAction } from '../../ui/controls/IconAction';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Glyph } from '../../ui/feedback/Glyph';
import { focusBefore } from '../../ui/focusBefore';
import { Link } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { hrefOf, isAdminKind } from './texts';

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
  info: { glyph: 'info', ink: color.neutralSolid, word: '' },
  warning: { glyph: 'warning', ink: color.attentionText, word: 'Warning: ' },
  error: { glyph: 'cross', ink: color.errorText, word: 'Error: ' },
  // Not a green check: the title names a failure, which a check would contradict.
  over: { glyph: 'archived', ink: color.neutralSolid, word: 'Resolved: ' },
} as const;

interface Props {
  notification: Notification;
  /** Whether it, or one grouped under it, is unread. */
  unread: boolean;
  /** The number of older ones of the same kind and app grouped under it. */
  more?: { count: number; open: boolean; onToggle: () => void };
  /** Called when the user follows its link. */
  onFollow: () => void;
  onRead: () => void;
}

export function NotificationRow({ notification, unread, more, onFollow, onRead }: Props) {
  const { kind, title, message, severity, team, count, updated_at, resolved_at } = notification;
  // May contain text from a host or a webhook receiver.
  const said = curly(message);
  const { glyph, ink, word } = looks[resolved_at === null ? severity : 'over'];
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
        {message !== title && <Text title={said}>{said}</Text>}
        <Sub>
          {isAdminKind(kind) ? 'Admin area' : team.name} · <RelativeTime at={updated_at} />
          {count > 1 && ` · ${count} times`}
          {resolved_at !== null && (
            <>
              {' '}
              · resolved <RelativeTime at={resolved_at} />
            </>
          )}
        </Sub>
        {more && (
          <Button size="small" aria-expanded={more.open} onClick={more.onToggle}>
            {more.open ? 'Show fewer' : `${more.count} more like this`}
          </Button>
        )}
      </div>
      {unread && (
        <IconAction
          size="small"
          label="Mark as read"
          onClick={({ currentTarget }) => {
            focusBefore(currentTarget);
            onRead();
          }}
        >
          <CheckIcon />
        </IconAction>
      )}
    </Item>
  );
}
