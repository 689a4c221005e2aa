import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createApiTokenMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { CreatedApiToken, TokenScope } from '../../../../generated/api/types.gen';
import { recordFeature } from '../../../analytics';
import { problemOf } from '../../../api/problem';
import { useTeam } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';
import { chosenDays, EXPIRY_DAYS, EXPIRY_MAX_DAYS, type ExpiryChoice } from './expiry';
import { chosenVersion, versionChoices } from './defaultVersions';
import { ScopeBoxes } from './ScopeBoxes';

const Pair = styled('div')({
  display: 'grid',
  gap: space(4),
  gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))',
});

interface Props {
  teamSlug: string;
  onCreated: (created: CreatedApiToken) => void;
  onCancel: () => void;
}

export function CreateTokenForm({ teamSlug, onCreated, onCancel }: Props) {
  const { role } = useTeam(teamSlug);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly TokenScope[]>([]);
  const [choice, setChoice] = useState<ExpiryChoice>('90');
  const [custom, setCustom] = useState('14');
  const [version, setVersion] = useState('');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const create = useMutation({
    ...createApiTokenMutation(),
    // The response contains the token: it leaves memory when the dialog closes.
    gcTime: 0,
    onSuccess: async (created) => {
      recordFeature('token_created');
      onCreated(created);
      await stale('listTokens');
    },
  });
  const problem = problemOf(create.error, 'Couldn’t create the token');
  const expiry = chosenDays(choice, custom);
  const submit = () => {
    setTried(true);
    if (name.trim() === '' || scopes.length === 0 || 'fault' in expiry) return;
    create.mutate({
      path: { slug: teamSlug },
      body: {
        name: name.trim(),
        scopes: [...scopes],
        expires_in_days: expiry.days,
        default_version: chosenVersion(version),
      },
    });
  };
  return (
    <FormShell
      aria-label="Create API token"
      error={problem}
      fields={['name', 'scopes', 'expires_in_days', 'default_version']}
      pending={create.isPending}
      onSubmit={submit}
      submitLabel="Create token"
      pendingLabel="Creating…"
      onCancel={onCancel}
    >
      <TextInput
        label="Name"
        help="Name the program that uses it, so you can tell which one to revoke."
        placeholder="web-frontend CI"
        value={name}
        maxLength={100}
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        error={tried && name.trim() === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
      />
      <ScopeBoxes
        role={role}
        value={scopes}
        onChange={setScopes}
        error={tried && scopes.length === 0 ? 'Choose at least one scope.' : fieldProblem(problem, 'scopes')}
      />
      <Pair>
        <SelectInput
          label="Expires"
          value={choice}
          onChange={(event) => setChoice(event.target.value as ExpiryChoice)}
          choices={[
            ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: `In ${days} days` })),
            { value: 'custom', label: 'Custom…' },
            { value: 'never', label: 'Never' },
          ]}
          error={fieldProblem(problem, 'expires_in_days')}
        />
        {choice === 'custom' && (
          <TextInput
            label="Days"
            inputMode="numeric"
            suffix="days"
            maxLength={String(EXPIRY_MAX_DAYS).length}
            value={custom}
            onChange={(event) => setCustom(event.target.value)}
            error={'fault' in expiry ? expiry.fault : undefined}
          />
        )}
      </Pair>
      <SelectInput
        label="API version"
        help="For requests without an X-Phala-Version header. The published clients send one."
        value={version}
        choices={versionChoices}
        onChange={(event) => setVersion(event.target.value)}
        error={fieldProblem(problem, 'default_version')}
      />
      {choice === 'never' && (
        <Notice tone="attention" title="This token never expires.">
          If it leaks, it works until you revoke it. Set an expiration if you can replace the token before
          then.
        </Notice>
      )}
    </FormShell>
  );
}
