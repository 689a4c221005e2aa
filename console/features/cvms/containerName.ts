import type { Container } from '../../../generated/api/types.gen';

/** Docker gives names with a leading slash. */
export const containerName = (container: Pick<Container, 'names' | 'id'>): string =>
  (container.names[0] ?? container.id).replace(/^\//, '');
