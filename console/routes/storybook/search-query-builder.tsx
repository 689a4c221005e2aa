import { createFileRoute } from '@tanstack/react-router';
import { QueryBuilderPreview } from '../../storybook/QueryBuilderPreview';
import { previewSearch } from '../../storybook/search';

export const Route = createFileRoute('/storybook/search-query-builder')({
  validateSearch: previewSearch,
  staticData: {
    crumb: null /* a preview, under no team */,
    title: 'Search query builder · Component preview',
  },
  component: function StorybookSearchQueryBuilder() {
    return <QueryBuilderPreview search={Route.useSearch()} />;
  },
});
