import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Connection } from './logConnection';
import { LogSession } from './logSession';
import { type LogSource, logUrl, windowAround } from './logSources';
import { compositionOptions, cvmOptions } from '../cvms/queries';
import { logIsOver } from '../cvms/cvmState';

interface Given {
  teamSlug: string;
  vmUuid: string;
  source: LogSource;
  status: string;
  /** Shows the log around this time, in RFC 3339. */
  at?: string | undefined;
}

/** A log session for this source, open while mounted. Mount it with a key per source and time. */
export function useLogSession({ teamSlug, vmUuid, source, status, at }: Given) {
  const queryClient = useQueryClient();
  const [session] = useState(() => {
    const cvm = cvmOptions(teamSlug, vmUuid);
    const composition = compositionOptions(teamSlug, vmUuid);
    const window = at === undefined || source.kind !== 'container' ? null : windowAround(at);
    return new LogSession({
      timestamps: source.kind === 'container',
      over: () =>
        window?.until ? 'Log around the selected time.' : logIsOver(queryClient.getQueryData(cvm.queryKey)),
      async open(query, fresh, signal) {
        const staleTime = fresh ? 0 : 60_000;
        const [detail, containers] = await Promise.all([
          queryClient.fetchQuery({ ...cvm, staleTime: fresh ? 0 : Infinity }),
          source.kind === 'container' ? queryClient.fetchQuery({ ...composition, staleTime }) : undefined,
        ]);
        const url = logUrl(source, detail, containers, query, window);
        if (url === null)
          return Response.json(
            { detail: containers?.error ?? 'The container no longer exists.' },
            { status: 404 },
          );
        // The signed URL is the credential, so no session cookie is sent.
        return fetch(url, { signal, credentials: 'omit', cache: 'no-store' });
      },
    });
  });
  useEffect(() => {
    session.start();
    const onVisible = () => document.visibilityState === 'visible' && session.wake();
    const onOnline = () => session.wake();
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('online', onOnline);
    return () => {
      session.stop();
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('online', onOnline);
    };
  }, [session]);
  useEffect(() => {
    if (status !== 'stopped' && status !== 'deleted') session.wake();
  }, [session, status]);
  const connection: Connection = useSyncExternalStore(session.subscribe, session.getConnection);
  return { session, connection };
}
