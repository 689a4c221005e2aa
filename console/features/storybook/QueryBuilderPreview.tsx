import { PublicFrame } from '../../ui/layout/PublicFrame';

export function QueryBuilderPreview() {
  return (
    <PublicFrame>
      <h1>Search query builder</h1>
    </PublicFrame>
  );
}
