import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getAiGatewayOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { createAiKey } from '../../../../generated/api/sdk.gen';
import type { AiGateway } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay, useSession } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { newCharacter, writeCharacter } from '../../../lib/agent/character';
import { AGENT_SIZE, agentCompose, agentImage } from '../../../lib/agent/compose';
import { agentModels, isLocalAddress, ownModels } from '../../../lib/agent/ownModels';
import { OWN_MODELS } from '../../../lib/agent/plugins';
import { aiHref } from '../../../lib/ai/addresses';
import { parseMicros } from '../../../lib/billing/money';
import { slugify } from '../../../lib/ids';
import { sizeForTemplate } from '../../../lib/public/template';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';
import { AiApiOff } from '../agent/AiApiOff';
import { everySize, instanceTypesOptions } from '../deploy/queries';
import { secretNames, secretsFault } from './agentForm';
import type { OptionProps } from './optionProps';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** The provider's key, in both cases. */
const KEY = 'OPENAI_API_KEY';

/** Creates a compose file for an agent. Users edit its character later on the agent page. */
export function AgentOption(props: OptionProps) {
  const { agent_framework } = useSession().environment;
  const gateway = useQuery({ ...getAiGatewayOptions({ ...inTeam(props.teamSlug) }), staleTime: 60_000 });
  return (
    <Panel
      title="An agent"
      subtitle={`Generates a Compose file with a character. After deploying, edit the character in the CVM’s Agent tab (${agent_framework}-conf).`}
    >
      {gateway.isPending ? (
        <RowsSkeleton rows={4} />
      ) : (
        // Without the gateway's models, an agent can still use another provider.
        <AgentForm {...props} framework={agent_framework} gateway={gateway.data} />
      )}
    </Panel>
  );
}

interface FormProps extends OptionProps {
  framework: string;
  /** Undefined if it couldn't be read. */
  gateway: AiGateway | undefined;
}

function AgentForm({ teamSlug, start, blockedReason, framework, gateway }: FormProps) {
  const [name, setName] = useState('');
  const [image, setImage] = useState(agentImage(framework) ?? '');
  const [typed, setTyped] = useState<string>();
  const models = useOwnModels(teamSlug, gateway);
  const keys = typed ?? (models.own ? '' : KEY);
  const names = secretNames(keys);
  const size = useAgentSize();
  const set = models.own ? [KEY, ...Object.keys(models.own.variables)] : [];
  const blocked =
    blockedReason ??
    models.blocked ??
    (name.trim() === '' ? 'Enter a name.' : undefined) ??
    (image.trim() === '' || /\s/.test(image.trim()) ? 'Enter an image.' : undefined) ??
    secretsFault(names, set);
  const submit = () =>
    models.withKey(name.trim(), (key) =>
      start({
        name: slugify(`${name}-agent`),
        compose: agentCompose({
          service: framework,
          image: image.trim(),
          json: writeCharacter(newCharacter(name.trim())),
          variables: models.own?.variables ?? {},
          secrets: [...(key === null ? [] : [KEY]), ...names],
        }),
        ...(size === undefined ? {} : { size }),
        secrets: [
          ...(key === null ? [] : [{ key: KEY, value: key }]),
          ...names.map((one) => ({ key: one, value: '' })),
        ],
      }),
    );
  return (
    <FormShell
      aria-label="Agent"
      error={models.problem}
      pending={models.pending}
      onSubmit={submit}
      submitLabel="Continue"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
    >
      <Fields>
        <TextInput
          label="Name"
          value={name}
          maxLength={60}
          placeholder="Ada"
          onChange={(event) => setName(event.target.value)}
        />
        {models.choices.length > 1 && (
          <SelectInput
            label="Model"
            value={models.model}
            choices={models.choices}
            {...(models.own
              ? { help: 'Continue creates an AI key for the agent. You don’t need an account elsewhere.' }
              : {})}
            onChange={(event) => models.choose(event.target.value)}
          />
        )}
        {models.own && gateway && !gateway.is_enabled && <AiApiOff teamSlug={teamSlug} />}
        {models.own && gateway && isLocalAddress(gateway.base_url) && (
          <Notice tone="attention" title="This server’s address is local.">
            The agent calls <code>{gateway.base_url}</code>, which a CVM on another computer can’t reach. Set
            PUBLIC_URL to an address that it can.
          </Notice>
        )}
        <TextInput
          mono
          label="Image"
          value={image}
          help="Published by the framework’s project. Pin it by digest in production."
          onChange={(event) => setImage(event.target.value)}
        />
        <TextInput
          mono
          label={models.own ? 'Other secrets' : 'Required secrets'}
          optional
          value={keys}
          help="Names only, separated by spaces. Enter the values on the next page."
          onChange={(event) => setTyped(event.target.value)}
        />
      </Fields>
      {models.own && (
        <p>
          The key is listed under <TextLink href={aiHref({ team: teamSlug })}>Confidential AI</TextLink>,
          where you can limit or revoke it.
        </p>
      )}
    </FormShell>
  );
}

/** The choice between this platform's models and another provider, and the key for the former. */
function useOwnModels(teamSlug: string, gateway: AiGateway | undefined) {
  const may = useMay('ai.write', teamSlug);
  const stale = useStale();
  const offered = agentModels(gateway?.models ?? []);
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? (may.allowed ? (offered[0]?.id ?? '') : '');
  const own = gateway && model !== '' ? ownModels(gateway, model) : null;
  const create = useMutation({
    // The response contains the secret, which leaves memory with this form.
    gcTime: 0,
    mutationFn: async ({ name, models }: { name: string; models: string[] }) => {
      const { data } = await createAiKey({
        ...inTeam(teamSlug),
        body: { name: `Agent ${name}`, models },
        throwOnError: true,
      });
      return { secret: data.secret, models };
    },
    onSuccess: () => stale('listAiKeys'),
  });
  return {
    model,
    choose: setChosen,
    /** Null for another provider. */
    own,
    choices: [
      ...offered.map(({ id, name, is_built_in }) => ({
        value: id,
        label: is_built_in ? `${name}: repeats messages, for trying it out` : name,
        group: OWN_MODELS.name,
      })),
      { value: '', label: 'Another provider’s model', group: 'With your own key' },
    ],
    blocked: own ? may.reason : undefined,
    pending: create.isPending,
    problem: problemOf(create.error, 'Couldn’t create the AI key'),
    /** Calls `then` with a key for the chosen model, created if needed; null for another provider. */
    withKey(name: string, then: (secret: string | null) => void) {
      if (!own) return then(null);
      // Continue again, after keeping a draft, needs no second key.
      const made = create.data;
      if (made && made.models.join() === own.models.join()) return then(made.secret);
      create.mutate({ name, models: own.models }, { onSuccess: ({ secret }) => then(secret) });
    },
  };
}

/** Returns the ID of the cheapest size for an agent; undefined if there is none or the sizes are unknown. */
function useAgentSize(): string | undefined {
  const sizes = useQuery(instanceTypesOptions());
  if (!sizes.data) return undefined;
  const rateOf = ({ hourly_rate }: { hourly_rate: string }) => parseMicros(hourly_rate) ?? 0;
  return sizeForTemplate(
    { resources: { ...AGENT_SIZE, disk_gb: 0 }, needs: [] },
    everySize(sizes.data),
    rateOf,
  )?.id;
}
