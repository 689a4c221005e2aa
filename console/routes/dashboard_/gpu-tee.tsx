import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../../api/session';
import { modelsSearch } from '../../features/ai/search';
import { GpuTeePage } from '../../features/apps/gpus/GpuTeePage';
import { Bell } from '../../features/notifications/Bell';
import { Shell } from '../../shell/Shell';
import { requireChosenTeam } from '../-next';
import { TeamFault } from '../-TeamFrame';
import { useStart } from '../-useStart';

export const Route = createFileRoute('/dashboard_/gpu-tee')({
  validateSearch: modelsSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: null /* as the other pages below /dashboard */, title: 'GPU TEE' },
  component: function GpuTee() {
    const { slug } = Route.useRouteContext().team;
    const { onStart, dialog } = useStart(slug);
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <GpuTeePage key={slug} teamSlug={slug} onStart={onStart} />
        {dialog}
      </Shell>
    );
  },
  errorComponent: function GpuTeeError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
