import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteSso } from '../../../../generated/api/sdk.gen';
import type { SsoConnection } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { color, space, type } from '../../../ui/theme';
import { ssoOptions } from './queries';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(4) });
const Text = styled('p')({ ...type.body, color: color.muted, flex: '1 1 280px' });

export function RemoveRow({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => deleteSso({ ...inTeam(slug), path: { slug }, throwOnError: true }),
    onSuccess: async () => {
      setAsking(false);
      toast({ tone: 'ok', title: 'Single sign-on removed' });
      await queryClient.invalidateQueries({ queryKey: ssoOptions(slug).queryKey });
    },
  });
  const close = () => {
    reset();
    setAsking(false);
  };
  return (
    <Row>
      <Text>Members keep their roles. No one can sign in through the provider anymore.</Text>
      <Button tone="danger" variant="outlined" onClick={() => setAsking(true)}>
        Remove…
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title="Remove single sign-on?"
        confirmLabel="Remove"
        typedName={connection.domain}
        effects={[
          `Another team can verify ${connection.domain}.`,
          'Members who joined through the provider have no password; they set one with a reset link.',
          'Setting it up again requires the client secret and a new TXT record.',
        ]}
        pending={isPending}
        problem={problemOf(error, 'Couldn’t remove single sign-on')}
        onConfirm={() => mutate()}
        onClose={close}
      />
    </Row>
  );
}
