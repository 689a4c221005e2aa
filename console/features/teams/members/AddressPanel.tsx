import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateWorkspace } from '../../../../generated/api/sdk.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { ConflictError, isApiError } from '../../../api/apiError';
import { isSlugRefusal } from '../../../api/refusals';
import { problemOf } from '../../../api/problem';
import { refreshSession, useSession, type May } from '../../../api/session';
import { conflictReason, useVersionedForm } from '../../../api/versions';
import { slugProblem } from '../../../lib/ids';
import { membersPath } from '../../../lib/paths';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';

const isAboutSlug = (failure: Error | null): boolean =>
  isSlugRefusal(failure) || (isApiError(failure) && failure.fields.some(({ field }) => field === 'slug'));

/** Changes the team's address. Former addresses redirect permanently, so links and scripts keep working. */
export function AddressPanel({ team, may }: { team: SessionTeam; may: May }) {
  const { environment } = useSession();
  const host = new URL(environment.public_url).host;
  const queryClient = useQueryClient();
  const form = useVersionedForm(
    { values: { slug: team.slug }, etag: team.etag },
    { refresh: () => refreshSession(queryClient) },
  );
  const { slug } = form.values;
  const [asking, setAsking] = useState(false);
  const save = useMutation({
    mutationFn: async (wanted: string) =>
      form.send(
        async (headers) =>
          (
            await updateWorkspace({
              headers,
              path: { slug: team.slug },
              body: { slug: wanted },
              throwOnError: true,
            })
          ).data,
      ),
    // A page load: page state, event streams and caches are keyed by the address.
    onSuccess: (changed) => location.assign(membersPath(changed.slug, 'settings')),
    onError: (failure) => {
      if (failure instanceof ConflictError || isAboutSlug(failure)) setAsking(false);
    },
  });
  const problem = problemOf(save.error, 'Couldn’t change the address');
  // Errors about the address appear at the field, all others in the dialog.
  const aboutSlug = isAboutSlug(save.error) ? (fieldProblem(problem, 'slug') ?? problem?.message) : undefined;
  const refused = save.variables === slug ? aboutSlug : undefined;
  const fault =
    slug === form.base.values.slug
      ? undefined
      : (slugProblem(slug, [environment.agent_framework]) ?? refused);
  return (
    <Panel title="Team address" framed>
      <FormConflict form={form} labels={{ slug: 'Address' }} />
      <FormShell
        aria-label="Change team address"
        error={null}
        pending={save.isPending || save.isSuccess}
        onSubmit={() => {
          if (fault === undefined) setAsking(true);
        }}
        submitLabel="Change address…"
        {...(!may.allowed
          ? { blockedReason: may.reason ?? '' }
          : form.conflict || slug === form.base.values.slug
            ? { blockedReason: conflictReason(form) ?? 'No changes yet.' }
            : {})}
      >
        <TextInput
          label="Team address"
          help={
            team.former_slugs.length === 0
              ? 'The first part of this team’s URLs.'
              : `The first part of this team’s URLs. Former addresses that redirect here: ${team.former_slugs.join(', ')}.`
          }
          prefix={`${host}/`}
          mono
          value={slug}
          maxLength={40}
          disabled={!may.allowed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => form.edit({ slug: event.target.value.toLowerCase() })}
          error={fault}
        />
      </FormShell>
      <ConfirmDialog
        open={asking && refused === undefined}
        title={`Move the team to ${host}/${slug}?`}
        effects={[
          `Links to ${host}/${team.slug} redirect to the new address. No other team can take the old one.`,
          'Update scripts that use the old address.',
          'Open pages reload for all members.',
        ]}
        confirmLabel="Change address"
        pending={save.isPending || save.isSuccess}
        problem={aboutSlug === undefined ? problem : null}
        onConfirm={() => save.mutate(slug)}
        onClose={() => {
          save.reset();
          setAsking(false);
        }}
      />
    </Panel>
  );
}
