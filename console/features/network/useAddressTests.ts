import { useState } from 'react';
import { checkCvmNetwork } from '../../../generated/api/sdk.gen';
import type { CheckCvmNetwork } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { triedKey, type Tried } from './types';

/** Addresses tested on this page, possibly in parallel; kept while it is open. */
export function useAddressTests(teamSlug: string, vmUuid: string) {
  const [tried, setTried] = useState<ReadonlyMap<string, Tried>>(new Map());
  const note = (key: string, one: Tried) => setTried((before) => new Map(before).set(key, one));
  const tryIt = async (what: CheckCvmNetwork, from?: Pick<Tried, 'fromVerdict'>) => {
    const key = triedKey(what);
    note(key, { pending: true, result: tried.get(key)?.result ?? null, problem: null, ...from });
    try {
      const { data } = await checkCvmNetwork({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid },
        body: what,
        throwOnError: true,
      });
      note(key, { pending: false, result: data, problem: null, ...from });
    } catch (error) {
      note(key, {
        pending: false,
        result: null,
        problem: problemOf(error, 'Couldn’t test the address', () => void tryIt(what, from)),
        ...from,
      });
    }
  };
  return { tried, tryIt };
}
