import type { Announcement } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';
import { useStored } from '../../ui/stored';
import { Banners } from './Announcements';

/** As many as are remembered; who dismissed more sees the oldest again. */
const MOST = 50;

/** What is announced to everybody, for who is not signed in. What they dismiss is remembered by this browser alone. */
export function PublicAnnouncements() {
  const { announcements } = useSession();
  const [stored, store] = useStored('dismissed-announcements', '');
  const dismissed = stored.split(' ');
  return (
    <Banners
      announcements={announcements.filter((one) => !one.dismissible || !dismissed.includes(markOf(one)))}
      onDismiss={(one) => store([...dismissed, markOf(one)].slice(-MOST).join(' '))}
    />
  );
}

/** Changes with what it says: corrected text is shown again. */
function markOf({ id, title, text }: Announcement): string {
  let hash = 0;
  for (const char of `${title}\n${text}`) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return `${id}:${(hash >>> 0).toString(36)}`;
}
