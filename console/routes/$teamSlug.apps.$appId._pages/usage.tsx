import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { appOptions } from '../../features/apps/queries';
import { AppUsage } from '../../features/metrics/AppUsage';
import { usageSearch } from '../../features/metrics/search';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/usage')({
  validateSearch: usageSearch,
  staticData: { crumb: 'Usage' },
  component: function Usage() {
    const params = Route.useParams();
    const { data: app } = useSuspenseQuery(appOptions(params.teamSlug, params.appId));
    return <AppUsage {...params} name={app.name} />;
  },
});
