import { createFileRoute } from '@tanstack/react-router';
import { NetworkBrief, NetworkStory } from '../../features/network/NetworkStory';
import { networkStates } from '../../features/network/storyData';
import { NetworkPreview } from '../../storybook/NetworkPreview';
import { previewSearch } from '../../storybook/search';

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
