import { createFileRoute } from '@tanstack/react-router';
import { UsagePage } from '../features/apps/UsagePage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/usage')({
  staticData: { crumb: 'Usage' },
  component: function Usage() {
    return <UsagePage {...Route.useParams()} />;
  },
});
