import { useMutation } from '@tanstack/react-query';
import { publishCvmModelServerMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { TextInput } from '../../../ui/forms/TextInput';
import { useCvmAddress } from '../address';
import { OfferForm } from './OfferForm';
import { publishFaults, startValues, toPublish, type PublishValues } from './publishForm';

interface Props {
  model: ServedModel;
  onClose: () => void;
}

const TITLE = 'Serve the model through the API';

/** Adds the model server as an upstream of the AI gateway, together with a model that it serves. */
export function PublishModelDialog(props: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={props.onClose}
      title={TITLE}
      intro="AI keys of every team whose AI API is on can then use it, at the prices below. The server must support chat completions."
    >
      <PublishModelForm {...props} />
    </FormDialog>
  );
}

const price = { suffix: 'USD per million tokens', inputMode: 'decimal', autoComplete: 'off' } as const;

function PublishModelForm({ model, onClose }: Props) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const stale = useStale();
  const idempotent = useIdempotencyKey();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    ...publishCvmModelServerMutation(),
    onSettled: () => stale('listAdminAiUpstreams', 'listAdminAiModels', 'getAiGateway'),
    onSuccess: (_, { body }) => {
      toast({
        tone: 'ok',
        title: `${body.model} is served through the API`,
        message: 'AI keys of every team whose AI API is on can use it now.',
      });
      onClose();
    },
    // The variables contain the key.
    gcTime: 0,
  });
  const publish = (values: PublishValues) => {
    const body = toPublish(values, model);
    mutate({ path: { cvm_id: vmUuid }, body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <OfferForm
      title={TITLE}
      start={() => startValues(model)}
      faultsOf={publishFaults}
      id={(field) => (
        <TextInput
          label="Model ID"
          mono
          autoComplete="off"
          help="Clients send it as model."
          {...field('model')}
        />
      )}
      error={error}
      pending={isPending}
      onSubmit={publish}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput label="Input price" {...price} {...field('input_price')} />
          <TextInput label="Output price" {...price} {...field('output_price')} />
        </>
      )}
    </OfferForm>
  );
}
