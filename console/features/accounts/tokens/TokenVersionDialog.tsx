import { useMutation } from '@tanstack/react-query';
import { updateApiToken } from '../../../../generated/api/sdk.gen';
import type { ApiToken } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { useVersionedForm } from '../../../api/versions';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { chosenVersion, versionChoices } from './defaultVersions';

interface Props {
  teamSlug: string;
  token: ApiToken;
  onClose: () => void;
}

export function TokenVersionDialog({ teamSlug: slug, token, onClose }: Props) {
  const stale = useStale();
  const form = useVersionedForm(
    { values: { default_version: token.default_version }, etag: token.etag },
    { refresh: () => stale('listTokens') },
  );
  const save = useMutation({
    mutationFn: () =>
      form.send((headers) =>
        updateApiToken({
          headers,
          path: { slug, token_id: token.id },
          body: { default_version: form.values.default_version },
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await stale('listTokens');
      onClose();
    },
  });
  const problem = problemOf(save.error, 'Couldn’t change the API version');
  return (
    <FormDialog open onClose={onClose} title={`API version of ${token.name}`}>
      {form.conflict ? (
        <FormConflict form={form} labels={{ default_version: 'API version' }} />
      ) : (
        <FormShell
          aria-label="API version"
          error={problem}
          fields={['default_version']}
          pending={save.isPending}
          onSubmit={() => save.mutate()}
          submitLabel="Save"
          onCancel={onClose}
        >
          <SelectInput
            label="API version"
            help="For requests without an X-Phala-Version header. The published clients send one."
            value={form.values.default_version ?? ''}
            choices={versionChoices}
            onChange={(event) => form.edit({ default_version: chosenVersion(event.target.value) })}
            error={fieldProblem(problem, 'default_version')}
          />
        </FormShell>
      )}
    </FormDialog>
  );
}
