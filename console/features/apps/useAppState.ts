import { useQuery } from '@tanstack/react-query';
import { appStateOf, type AppState } from '../../lib/apps/allowedActions';
import { appCvmsOptions, rolloutsOptions } from './queries';

/** Returns the state that decides which actions are available; until it is known, the server decides. */
export function useAppState(teamSlug: string, appId: string): AppState {
  const { data: cvms } = useQuery(appCvmsOptions(teamSlug, appId));
  const { data: rollouts } = useQuery(rolloutsOptions(teamSlug, appId));
  if (cvms === undefined) return 'settled';
  return appStateOf({ cvms: cvms.length, rollouts: (rollouts?.data ?? []).map(({ state }) => state) });
}
