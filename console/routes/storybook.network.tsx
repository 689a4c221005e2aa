import { createFileRoute } from '@tanstack/react-router';
import { NetworkPreview } from '../features/storybook/NetworkPreview';

export const Route = createFileRoute('/storybook/network')({
  staticData: { crumb: null /* a preview, under no team */, title: 'Network · Component preview' },
  component: NetworkPreview,
});
