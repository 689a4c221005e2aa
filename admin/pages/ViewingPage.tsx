import { brandName } from '../../console/ui/brand/installation';
import { Button, LinkButton } from '../../console/ui/controls/Button';
import { useEffect, useState } from 'react';
import type { SessionViewAs } from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { fetchJson, problemOf } from '../http';
import { minuteTime } from '../../console/ui/data/time';

/** Shown instead of the admin area while viewing as another user. */
export function ViewingPage({ viewing, as }: { viewing: SessionViewAs; as: string }) {
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    document.title = `Viewing as ${as} · ${brandName()}`;
  }, [as]);
  const end = () =>
    fetchJson('/api/v1/session/view-as', { method: 'DELETE' }).then(() => location.reload(), setFailure);
  return (
    <FallbackPage
      kind="forbidden"
      title={`Viewing the console as ${as}`}
      message={`The admin area is unavailable until viewing ends, on ${minuteTime(viewing.expires_at)}.`}
      actions={
        <>
          <Button variant="contained" onClick={() => void end()}>
            End viewing
          </Button>
          <LinkButton href="/">Back to the console</LinkButton>
          {failure ? <ErrorNotice problem={problemOf(failure, 'Couldn’t end viewing')} /> : null}
        </>
      }
    />
  );
}
