import { createFileRoute } from '@tanstack/react-router';
import { SettingsTab } from './-SettingsTab';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/settings')({
  loader: async ({ context }) => {
    const { loadSizes } = await import('../features/deploy/queries');
    await loadSizes(context.queryClient);
  },
  staticData: { crumb: 'Settings' },
  component: SettingsTab,
});
