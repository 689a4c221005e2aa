import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteWorkspaceMutation,
  getBillingOptions,
  listCvmsPaginatedOptions,
  listOrdersOptions,
  listTopUpsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import type { May } from '../../../api/session';
import { teamPath } from '../../../lib/paths';
import { dollars } from '../../../ui/data/Cost';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

/** Deletes the team. Its CVMs must be deleted first, each with its own confirmation. */
export function DeleteTeamPanel({ team, may }: { team: SessionTeam; may: May }) {
  const [asking, setAsking] = useState(false);
  const { data: cvms } = useQuery(
    listCvmsPaginatedOptions({ ...inTeam(team.slug), query: { page: 1, page_size: 1 } }),
  );
  const left = cvms?.total ?? 0;
  const money = useMoneyEffects(team.slug, asking);
  const remove = useMutation({
    ...deleteWorkspaceMutation(),
    onSuccess: () => location.assign('/'),
  });
  return (
    <Panel title="Delete team" framed>
      <Stack>
        <Text>
          {!may.allowed ? (
            may.reason
          ) : left > 0 ? (
            <>
              This team still has {left === 1 ? 'a CVM' : `${left} CVMs`}.{' '}
              <TextLink href={teamPath(team.slug)}>Delete {left === 1 ? 'it' : 'them'}</TextLink> first.
            </>
          ) : (
            'Members lose access, API tokens and invitations are revoked, and no other team can take the address.'
          )}
        </Text>
        <Button
          tone="danger"
          disabled={!may.allowed || cvms === undefined || left > 0}
          onClick={() => setAsking(true)}
        >
          Delete team…
        </Button>
      </Stack>
      <ConfirmDialog
        open={asking}
        danger
        title={`Delete ${team.name}?`}
        typedName={team.slug}
        effects={[
          'All members lose access immediately and are notified by e-mail.',
          'The team’s API tokens, AI keys and invitations are revoked, and its webhooks and single sign-on are removed.',
          ...(money ?? []),
          'This can’t be undone.',
        ]}
        confirmLabel="Delete team"
        pending={money === undefined || remove.isPending || remove.isSuccess}
        problem={problemOf(remove.error, 'Couldn’t delete the team')}
        onConfirm={() => remove.mutate({ path: { slug: team.slug }, body: { slug: team.slug } })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}

/** Entries of the lists that are read, newest first. */
const MOST_READ = 100;

/** Returns what deleting the team does to its balance, payments and orders; undefined while that is loading. */
function useMoneyEffects(slug: string, enabled: boolean): string[] | undefined {
  const fresh = { enabled, staleTime: 0 };
  const query = { limit: MOST_READ };
  const billing = useQuery({ ...getBillingOptions(inTeam(slug)), ...fresh });
  const topUps = useQuery({ ...listTopUpsOptions({ ...inTeam(slug), query }), ...fresh });
  const orders = useQuery({ ...listOrdersOptions({ ...inTeam(slug), query }), ...fresh });
  // Without an answer the button stays disabled: nobody may lose a balance unwarned.
  if (!billing.data || !topUps.data || !orders.data) return undefined;
  const balance = billing.data?.balance ?? '0';
  const payments = topUps.data?.items.filter(({ state }) => state === 'pending').length ?? 0;
  const reserved = orders.data?.items.filter(({ state }) => OPEN_ORDERS.has(state)).length ?? 0;
  const effects: string[] = [];
  if (Number(balance) > 0)
    effects.push(
      `The balance of ${dollars(balance)} can no longer be used. Contact support first if it should be refunded.`,
    );
  if (payments > 0)
    effects.push(
      payments === 1 ? 'An unpaid payment is canceled.' : `${payments} unpaid payments are canceled.`,
    );
  if (reserved > 0)
    effects.push(
      reserved === 1
        ? 'A reservation ends without a refund.'
        : `${reserved} reservations end without a refund.`,
    );
  return effects;
}

const OPEN_ORDERS: ReadonlySet<string> = new Set(['pending', 'paid', 'active']);
