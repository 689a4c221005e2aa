import type { Announcement } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';
import { useStored } from '../../ui/stored';
import { Banners } from './Announcements';

/** Dismissals stored per browser; beyond this, the oldest announcements reappear. */
const MAX_DISMISSED = 50;

/** Public announcements for visitors. Dismissals are stored in this browser only. */
export function PublicAnnouncements() {
  const { announcements } = useSession();
  const [stored, store] = useStored('dismissed-announcements', '');
  const dismissed = stored.split(' ');
  return (
    <Banners
      announcements={announcements.filter((one) => !one.dismissible || !dismissed.includes(markOf(one)))}
      onDismiss={(one) => store([...dismissed, markOf(one)].slice(-MAX_DISMISSED).join(' '))}
    />
  );
}

/** Identifies an announcement's text, so that corrected announcements are shown again. */
function markOf({ id, title, text }: Announcement): string {
  let hash = 0;
  for (const char of `${title}\n${text}`) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return `${id}:${(hash >>> 0).toString(36)}`;
}
