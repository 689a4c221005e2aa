import { createFileRoute } from '@tanstack/react-router';
import { NetworkBrief, NetworkStory } from '../features/cvms/network/NetworkStory';
import { networkStates } from '../features/cvms/network/storyData';
import { NetworkPreview } from '../features/storybook/NetworkPreview';
import { previewSearch } from '../features/storybook/search';

export const Route = createFileRoute('/storybook/network')({
  validateSearch: previewSearch,
  staticData: { crumb: null /* a preview, under no team */, title: 'Network · Component preview' },
  component: function StorybookNetwork() {
    return (
      <NetworkPreview
        states={networkStates}
        View={NetworkStory}
        Brief={NetworkBrief}
        search={Route.useSearch()}
      />
    );
  },
});
