import { Button } from '../../ui/controls/Button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Announcement } from '../../../generated/api/types.gen';
import {
  dismissAnnouncementMutation,
  listAnnouncementsOptions,
  listAnnouncementsQueryKey,
} from '../../../generated/api/@tanstack/react-query.gen';
import { useSession } from '../../api/session';
import { AnnouncementText } from '../../ui/feedback/AnnouncementText';
import { Notice } from '../../ui/feedback/Notice';
import type { Tone } from '../../ui/feedback/status';
import { TextLink } from '../../ui/link';

/** Team pages get updates from the event stream; other pages poll. */
const WATCH_MS = 60_000;
/** More banners would hide the page; the rest are behind a button. */
const SHOWN = 2;

const TONES: Record<Announcement['severity'], Tone> = {
  info: 'progress',
  warning: 'attention',
  critical: 'error',
};

/** Announcements from the platform's administrators, above every page. */
export function Announcements() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const { data = [] } = useQuery({
    ...listAnnouncementsOptions(),
    enabled: user !== null,
    staleTime: 5_000,
    refetchInterval: WATCH_MS,
    refetchOnWindowFocus: true,
  });
  const dismiss = useMutation({
    ...dismissAnnouncementMutation(),
    // Optimistic: if the request fails, the next fetch restores it.
    onMutate: ({ path }) =>
      queryClient.setQueryData<Announcement[]>(listAnnouncementsQueryKey(), (before) =>
        before?.filter(({ id }) => id !== path.announcement_id),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listAnnouncementsQueryKey() }),
  });
  return (
    <Banners announcements={data} onDismiss={({ id }) => dismiss.mutate({ path: { announcement_id: id } })} />
  );
}

interface BannersProps {
  announcements: readonly Announcement[];
  onDismiss: (announcement: Announcement) => void;
}

export function Banners({ announcements, onDismiss }: BannersProps) {
  const [all, setAll] = useState(false);
  const shown = all ? announcements : announcements.slice(0, SHOWN);
  const more = announcements.length - shown.length;
  return (
    // New banners are announced politely, after the current speech.
    <div aria-live="polite">
      {shown.map((announcement) => (
        <Notice
          key={announcement.id}
          bar
          tone={TONES[announcement.severity]}
          title={announcement.title}
          {...(announcement.link === null
            ? {}
            : { action: <TextLink href={announcement.link}>More</TextLink> })}
          {...(announcement.dismissible ? { onDismiss: () => onDismiss(announcement) } : {})}
        >
          <AnnouncementText text={announcement.text} />
        </Notice>
      ))}
      {more > 0 && (
        <Notice
          bar
          tone="neutral"
          action={
            <Button size="small" onClick={() => setAll(true)}>
              Show {more === 1 ? 'it' : 'them'}
            </Button>
          }
        >
          {more === 1 ? '1 more announcement.' : `${more} more announcements.`}
        </Notice>
      )}
    </div>
  );
}
