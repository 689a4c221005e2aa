import { isApiError } from './apiError';

/** The team address is taken (ERR-00-024) or reserved (ERR-00-025), so another one is needed. */
export const isSlugRefusal = (error: unknown): boolean =>
  isApiError(error) && (error.code === 'ERR-00-024' || error.code === 'ERR-00-025');
