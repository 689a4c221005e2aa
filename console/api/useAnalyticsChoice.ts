import { useState } from 'react';
import { isAnalyticsAllowed, isRefusedByBrowser, setAnalyticsChoice } from '../analytics';
import { useSession } from './session';

interface AnalyticsChoice {
  isAllowed: boolean;
  /** Do Not Track or Global Privacy Control, which no choice here overrides. */
  isRefusedByBrowser: boolean;
  setAllowed: (allowed: boolean) => void;
}

/** Returns this device's choice about usage analytics; null if the server has none. */
export function useAnalyticsChoice(): AnalyticsChoice | null {
  const { environment } = useSession();
  const [isAllowed, setState] = useState(isAnalyticsAllowed);
  if (environment.analytics_key === null) return null;
  return {
    isAllowed,
    isRefusedByBrowser: isRefusedByBrowser(),
    setAllowed: (allowed) => {
      setAnalyticsChoice(allowed);
      setState(allowed);
    },
  };
}
