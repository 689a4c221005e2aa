import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { importGithubKeysMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { GithubKeysImport } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { Button } from '../../../ui/controls/Button';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';
import { githubNameFault, importText } from './sshKey';

const Reasons = styled('ul')({ margin: `${space(1)} 0 0`, paddingLeft: space(5) });

/** Adds the public keys of a GitHub profile, and then says how many are new. */
export function GithubKeysDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const importing = useMutation({
    ...importGithubKeysMutation(),
    onSuccess: () => stale('listSshKeys'),
  });
  const problem = problemOf(importing.error, 'Couldn’t import the keys');
  const fault = githubNameFault(name);
  const submit = () => {
    setTried(true);
    if (fault === null) importing.mutate({ body: { github_username: name.trim() } });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Import from GitHub"
      {...(importing.data
        ? {}
        : { intro: 'Adds the public keys of a GitHub profile. Keys you already have stay.' })}
    >
      {importing.data ? (
        <ImportResult result={importing.data} onClose={onClose} />
      ) : (
        <FormShell
          aria-label="Import from GitHub"
          error={problem}
          fields={['github_username']}
          pending={importing.isPending}
          onSubmit={submit}
          submitLabel="Import keys"
          onCancel={onClose}
        >
          <TextInput
            label="GitHub username"
            value={name}
            maxLength={39}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
            error={tried ? (fault ?? fieldProblem(problem, 'github_username')) : undefined}
          />
        </FormShell>
      )}
    </FormDialog>
  );
}

/** What was imported, and why the other keys weren't. */
function ImportResult({ result, onClose }: { result: GithubKeysImport; onClose: () => void }) {
  return (
    <>
      <div role="status">
        <Notice tone={result.errors.length > 0 ? 'attention' : result.keys_added > 0 ? 'ok' : 'neutral'}>
          {importText(result)}
          {result.errors.length > 0 && (
            <Reasons>
              {result.errors.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </Reasons>
          )}
        </Notice>
      </div>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}
