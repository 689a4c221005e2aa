import { createFileRoute } from '@tanstack/react-router';
import { Endpoints } from '../features/cvms/Endpoints';
import { NetworkPreview } from '../features/storybook/NetworkPreview';
import { previewSearch } from '../features/storybook/search';

export const Route = createFileRoute('/storybook/network')({
  validateSearch: previewSearch,
  staticData: { crumb: null /* a preview, under no team */, title: 'Network · Component preview' },
  component: function StorybookNetwork() {
    return <NetworkPreview View={Endpoints} search={Route.useSearch()} />;
  },
});
