import { QueryBuilderStory, queryBuilderStates } from '../ui/query/QueryBuilderStory';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

/** Preview of the event search box. */
export function QueryBuilderPreview({ search }: { search: PreviewSearch }) {
  const chosen = queryBuilderStates.find(({ id }) => id === search.state) ?? queryBuilderStates[0]!;
  return (
    <Preview
      title="Search query builder"
      text="The event search box: turns filters into chips, suggests keys and values, accepts pasted queries and marks errors in place."
      search={search}
      stage={<QueryBuilderStory key={chosen.id} {...chosen} />}
      states={queryBuilderStates.map((state) => ({
        id: state.id,
        name: state.name,
        node: <QueryBuilderStory {...state} />,
      }))}
    />
  );
}
