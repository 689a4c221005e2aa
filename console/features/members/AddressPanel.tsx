import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { updateWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../generated/api/types.gen';
import { isSlugRefusal } from '../../api/refusals';
import { problemOf } from '../../api/problem';
import { useSession, type May } from '../../api/session';
import { slugProblem } from '../../lib/ids';
import { membersPath } from '../../lib/paths';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';

/** A new address; the old one leads here for good, so links and scripts go on working. */
export function AddressPanel({ team, may }: { team: SessionTeam; may: May }) {
  const { environment } = useSession();
  const host = new URL(environment.public_url).host;
  const [slug, setSlug] = useState(team.slug);
  const [asking, setAsking] = useState(false);
  const save = useMutation({
    ...updateWorkspaceMutation(),
    // A page load: everything on screen, streams and caches too, goes by the address.
    onSuccess: (changed) => location.assign(membersPath(changed.slug, 'settings')),
  });
  const problem = problemOf(save.error, 'The address was not changed');
  // What is wrong with the address itself stands at it; anything else in the dialog that asked.
  const aboutSlug =
    fieldProblem(problem, 'slug') ?? (isSlugRefusal(save.error) ? problem?.message : undefined);
  const refused = save.variables?.body.slug === slug ? aboutSlug : undefined;
  const fault =
    slug === team.slug ? undefined : (slugProblem(slug, [environment.agent_framework]) ?? refused);
  return (
    <Panel title="Team address" framed>
      <FormShell
        aria-label="Move the team"
        error={null}
        pending={save.isPending || save.isSuccess}
        onSubmit={() => {
          if (fault === undefined) setAsking(true);
        }}
        submitLabel="Change address…"
        {...(!may.allowed
          ? { blockedReason: may.reason ?? '' }
          : slug === team.slug
            ? { blockedReason: '' }
            : {})}
      >
        <TextInput
          label="Address of the team"
          help={
            team.former_slugs.length === 0
              ? 'The beginning of every address of the team.'
              : `The beginning of every address of the team. These lead here too: ${team.former_slugs.join(', ')}.`
          }
          prefix={`${host}/`}
          mono
          value={slug}
          maxLength={40}
          disabled={!may.allowed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setSlug(event.target.value.toLowerCase())}
          error={fault}
        />
      </FormShell>
      <ConfirmDialog
        open={asking && refused === undefined}
        title={`Move the team to ${host}/${slug}?`}
        effects={[
          `Links to ${host}/${team.slug} lead to the new address, and nobody else gets the old one.`,
          'Scripts that name the team by its old address should be changed in time.',
          'Open pages of other members load anew.',
        ]}
        confirmLabel="Change address"
        pending={save.isPending || save.isSuccess}
        problem={aboutSlug === undefined ? problem : null}
        onConfirm={() => save.mutate({ path: { slug: team.slug }, body: { slug } })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}
