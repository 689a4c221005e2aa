import { createFileRoute } from '@tanstack/react-router';
import { QueryBuilderPreview } from '../features/storybook/QueryBuilderPreview';

export const Route = createFileRoute('/storybook/search-query-builder')({
  staticData: {
    crumb: null /* a preview, under no team */,
    title: 'Search query builder · Component preview',
  },
  component: QueryBuilderPreview,
});
