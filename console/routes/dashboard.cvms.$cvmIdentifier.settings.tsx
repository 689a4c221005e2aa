import { createFileRoute } from '@tanstack/react-router';
import { SettingsTab } from './-SettingsTab';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/settings')({
  loader: async ({ context }) => {
    const { loadSizes } = await import('../features/deploy/queries');
    await loadSizes(context.queryClient);
  },
  staticData: { crumb: null /* as above */, title: 'Settings' },
  component: SettingsTab,
});
