import { QueryBuilderStory, queryBuilderStates } from '../../ui/query/QueryBuilderStory';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

/** The search box of events, alone. */
export function QueryBuilderPreview({ search }: { search: PreviewSearch }) {
  const chosen = queryBuilderStates.find(({ id }) => id === search.state) ?? queryBuilderStates[0]!;
  return (
    <Preview
      title="Search query builder"
      text="The search box of events: parts become chips, keys and values are suggested, a query can be pasted, and every mistake is shown at its place."
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
