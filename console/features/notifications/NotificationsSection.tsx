import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { PreferencesPanel } from './PreferencesPanel';
import { notificationSettingsOptions } from './queries';
import { QuietHoursPanel } from './QuietHoursPanel';

/** A part of the account's settings: of what one is told, how, and when not. */
export function NotificationsSection() {
  const { data, error, refetch } = useQuery(notificationSettingsOptions());
  const queryClient = useQueryClient();
  const keep = (settings: NotificationSettings) =>
    queryClient.setQueryData(notificationSettingsOptions().queryKey, settings);
  if (!data) {
    const problem = problemOf(error, 'Your settings could not be read', () => void refetch());
    return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={8} />;
  }
  return (
    <>
      {!data.email_verified && (
        <Notice tone="attention" title={`${data.email} is not confirmed yet.`}>
          Mail of this kind goes to confirmed addresses only: open the link that was sent to it.
        </Notice>
      )}
      {data.teams.length === 0 && <EmptyState>You are in no team that could tell you anything.</EmptyState>}
      {data.teams.map((team) => (
        <PreferencesPanel key={team.team.id} settings={team} onSaved={keep} />
      ))}
      <QuietHoursPanel settings={data} onSaved={keep} />
    </>
  );
}
