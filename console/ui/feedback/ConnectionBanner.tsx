import { useSyncExternalStore } from 'react';
import { currentConnection, subscribeConnection, type Connection } from '../../lib/connection';
import { Notice } from './Notice';

const TEXTS: Readonly<Record<Exclude<Connection, 'online'>, { title: string; text: string }>> = {
  offline: {
    title: 'You’re offline',
    text: 'This page updates when you’re connected again. Running apps aren’t affected.',
  },
  unreachable: {
    title: 'Can’t reach the server',
    text: 'Retrying every few seconds. Running apps aren’t affected.',
  },
};

export const useConnection = (): Connection => useSyncExternalStore(subscribeConnection, currentConnection);

/**
 * Shows on every page that the connection is lost. The live region is always present, so that the change is
 * announced.
 */
export function ConnectionBanner() {
  const connection = useConnection();
  return (
    <div role="status">
      {connection !== 'online' && (
        <Notice bar tone="attention" title={TEXTS[connection].title}>
          {TEXTS[connection].text}
        </Notice>
      )}
    </div>
  );
}
