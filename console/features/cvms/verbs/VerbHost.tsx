import { useEffect, useState } from 'react';
import { hostVerbs, type VerbRequest } from '../../../lib/cvms/verbRequest';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { OnceOpened } from '../../../ui/OnceOpened';

const VerbDialog = lazyWithRetry(() => import('./VerbDialog').then((m) => ({ default: m.VerbDialog })));

interface Asked {
  request: VerbRequest;
  answer: (done: boolean) => void;
}

/** The page's only verb dialog: lists, menus and the command palette all open it. */
export function VerbHost() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => hostVerbs((request) => new Promise((answer) => setAsked({ request, answer }))), []);
  return (
    <OnceOpened open={asked !== null}>
      {asked && (
        <VerbDialog
          request={asked.request}
          onClose={(done) => {
            setAsked(null);
            asked.answer(done);
          }}
        />
      )}
    </OnceOpened>
  );
}
