import { useState } from 'react';
import type { DeployedApp } from '../../../../lib/kms/appAuth';
import { nameContract, type CheckContract } from './naming';

const IDLE: { isPending: boolean; fault?: string } = { isPending: false };

/** Accepts the app's contract once the server has checked it; `fault` says why one was rejected. */
export function useNaming(check: CheckContract, onNamed: (app: DeployedApp) => void) {
  const [state, setState] = useState(IDLE);
  const name = async (text: string) => {
    setState({ isPending: true });
    const named = await nameContract(text, check);
    if ('app' in named) onNamed(named.app);
    else setState({ isPending: false, fault: named.fault });
  };
  return { ...state, name: (text: string) => void name(text), reset: () => setState(IDLE) };
}
