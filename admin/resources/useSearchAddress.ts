import { useLocation, useNavigate } from 'react-admin';
import { changedSearch, type SearchChange } from './searchAddress';

/**
 * The page's search parameters, and a function that changes them. Uses react-admin's router, because react-router's own
 * `useSearchParams` would navigate to react-admin's path of a record instead of the published one.
 */
export function useSearchAddress(): [
  URLSearchParams,
  (change: SearchChange, options?: { replace: boolean }) => void,
] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  return [params, (change, options) => navigate(`?${changedSearch(params, change)}`, options)];
}
