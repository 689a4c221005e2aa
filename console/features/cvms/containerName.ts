import type { Container } from '../../../generated/api/types.gen';

/** Docker names start with a slash. */
export const containerName = (container: Pick<Container, 'names' | 'id'>): string =>
  (container.names[0] ?? container.id).replace(/^\//, '');
