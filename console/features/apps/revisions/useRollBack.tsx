import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AppRevision } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { appBlockedText } from '../../../lib/apps/allowedActions';
import { appCvmsOptions } from '../queries';
import { useAppState } from '../useAppState';
import { RollBackDialog } from './RollBackDialog';

interface RollBack {
  /** Why the app can't go back to the revision; undefined if it can. */
  reasonAgainst: (revision: AppRevision) => string | undefined;
  /** Opens the dialog. */
  ask: (revision: AppRevision) => void;
  dialog: ReactNode;
}

/** Rolling an app back, from the list of revisions or from a comparison. */
export function useRollBack(teamSlug: string, appId: string): RollBack {
  const { data: cvms } = useQuery(appCvmsOptions(teamSlug, appId));
  const appState = useAppState(teamSlug, appId);
  const may = useMay('cvms.write', teamSlug);
  const [asked, setAsked] = useState<AppRevision | null>(null);
  return {
    reasonAgainst: (revision) =>
      may.reason ??
      appBlockedText('roll_out', appState) ??
      (revision.state === 'live' && revision.cvm_count === cvms?.length
        ? 'All CVMs already run this revision.'
        : undefined),
    ask: setAsked,
    dialog: asked && (
      <RollBackDialog
        teamSlug={teamSlug}
        appId={appId}
        revision={asked}
        cvms={cvms ?? []}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
