import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { confirmAddressText } from '../../lib/texts/confirmAddress';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { PreferencesPanel } from './PreferencesPanel';
import { notificationSettingsOptions } from './queries';
import { QuietHoursPanel } from './QuietHoursPanel';

/** Notification settings: events, channels and quiet hours. */
export function NotificationsSection() {
  const { data, error, refetch } = useQuery(notificationSettingsOptions());
  const { features } = useSession();
  const queryClient = useQueryClient();
  const keep = (settings: NotificationSettings) =>
    queryClient.setQueryData(notificationSettingsOptions().queryKey, settings);
  if (!data) {
    const problem = problemOf(error, 'Couldn’t load your settings', () => void refetch());
    return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={8} />;
  }
  return (
    <>
      {!data.email_verified && (
        <Notice tone="attention" title={`${data.email} isn’t confirmed yet.`}>
          Notification email goes to confirmed addresses only. {confirmAddressText(features.mail, data.email)}
        </Notice>
      )}
      {data.teams.length === 0 && (
        <EmptyState picture="members">Join a team to receive notifications.</EmptyState>
      )}
      {data.teams.map((team) => (
        <PreferencesPanel key={team.team.id} settings={team} onSaved={keep} />
      ))}
      <QuietHoursPanel settings={data} onSaved={keep} />
    </>
  );
}
