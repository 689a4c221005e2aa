import { useState } from 'react';
import type { CreatedApiToken } from '../../../../generated/api/types.gen';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { CreateTokenForm } from './CreateTokenForm';
import { TokenShown } from './TokenShown';

/** The form, then the token, shown once. */
export function CreateTokenDialog({ teamSlug, onClose }: { teamSlug: string; onClose: () => void }) {
  const [made, setMade] = useState<CreatedApiToken | null>(null);
  if (made)
    return (
      <FormDialog open wide title="Copy your token">
        <TokenShown created={made} onDone={onClose} />
      </FormDialog>
    );
  return (
    <FormDialog open wide onClose={onClose} title="Create API token">
      <CreateTokenForm teamSlug={teamSlug} onCreated={setMade} onCancel={onClose} />
    </FormDialog>
  );
}
