import { isApiError } from './apiError';

/** Taken (ERR-00-024) or reserved (ERR-00-025): the team's address itself was refused, and another one helps. */
export const isSlugRefusal = (error: unknown): boolean =>
  isApiError(error) && (error.code === 'ERR-00-024' || error.code === 'ERR-00-025');
