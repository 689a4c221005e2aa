import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import type { SessionViewAs } from '../../generated/api/types.gen';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { fetchJson, problemOf } from '../http';

/** While staff look at the console as somebody else, there is no admin area: they end it first. */
export function ViewingPage({ viewing, as }: { viewing: SessionViewAs; as: string }) {
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    document.title = `Viewing as ${as} · Teehouse`;
  }, [as]);
  const end = () =>
    fetchJson('/api/v1/session/view-as', { method: 'DELETE' }).then(() => location.reload(), setFailure);
  return (
    <FallbackPage
      kind="forbidden"
      title={`You are viewing the console as ${as}`}
      message={`The admin area is closed until that ends: at ${new Date(viewing.expires_at).toLocaleTimeString()}, or now.`}
      actions={
        <>
          <Button variant="contained" color="primary" onClick={() => void end()}>
            End viewing
          </Button>
          <LinkButton href="/">Back to the console</LinkButton>
          {failure ? <ErrorNotice problem={problemOf(failure, 'It was not ended')} /> : null}
        </>
      }
    />
  );
}
