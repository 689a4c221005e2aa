import { useMutation, useQuery } from '@tanstack/react-query';
import {
  getAiGatewayOptions,
  publishTeamAiModelMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { TextInput } from '../../../ui/forms/TextInput';
import { useCvmAddress } from '../address';
import { OfferForm } from './OfferForm';
import { publishedToast } from './publishedToast';
import { startTeamValues, teamPublishFaults, toTeamPublish, type TeamPublishValues } from './publishForm';

interface Props {
  model: ServedModel;
  onClose: () => void;
}

const TITLE = 'Serve the model to the team’s keys';

/** Offers the CVM's model to its team's AI keys. */
export function PublishTeamModelDialog(props: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={props.onClose}
      title={TITLE}
      intro="Only the team’s AI keys can use it. Its requests cost nothing, because the team pays for the CVM. The server must support chat completions."
    >
      <PublishTeamModelForm {...props} />
    </FormDialog>
  );
}

function PublishTeamModelForm({ model, onClose }: Props) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const stale = useStale();
  const idempotent = useIdempotencyKey();
  const toast = useToast();
  const gateway = useQuery(getAiGatewayOptions({ ...inTeam(teamSlug) }));
  const { mutate, isPending, error } = useMutation({
    ...publishTeamAiModelMutation(),
    onSettled: () => stale('listTeamAiModels', 'getAiGateway'),
    onSuccess: (made) => {
      toast(publishedToast(made.model, teamSlug, gateway.data?.is_enabled));
      onClose();
    },
    // The variables contain the key.
    gcTime: 0,
  });
  const publish = (values: TeamPublishValues) => {
    const body = toTeamPublish(values, model);
    mutate({ path: { cvm_id: vmUuid }, body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <OfferForm
      title={TITLE}
      start={() => startTeamValues(model)}
      faultsOf={teamPublishFaults}
      id={(field, { short_name }) => (
        <TextInput
          label="Short name"
          mono
          autoComplete="off"
          help={`Clients send ${teamSlug}/${short_name} as model.`}
          {...field('short_name')}
        />
      )}
      error={error}
      pending={isPending}
      onSubmit={publish}
      onClose={onClose}
    />
  );
}
