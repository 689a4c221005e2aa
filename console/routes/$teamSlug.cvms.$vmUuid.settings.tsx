import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '../features/cvms/SettingsPage';
import { ResizePanel } from '../features/deploy/ResizePanel';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/settings')({
  loader: async ({ context }) => {
    const { loadSizes } = await import('../features/deploy/queries');
    await loadSizes(context.queryClient);
  },
  staticData: { crumb: 'Settings' },
  component: function Settings() {
    const params = Route.useParams();
    return <SettingsPage {...params} resize={<ResizePanel {...params} />} />;
  },
});
