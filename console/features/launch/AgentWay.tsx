import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { newCharacter, writeCharacter } from '../../lib/agent/character';
import { agentCompose } from '../../lib/agent/compose';
import { slugify } from '../../lib/ids';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import type { WayProps } from './way';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** The image that the framework's project publishes; of others none is known here. */
const IMAGES: Readonly<Record<string, string>> = { eliza: 'ghcr.io/elizaos/eliza:stable' };

/** A ready compose file for an agent; its character is edited on the agent's own page from then on. */
export function AgentWay({ start, shut }: WayProps) {
  const { agent_framework } = useSession().environment;
  const [name, setName] = useState('');
  const [image, setImage] = useState(IMAGES[agent_framework] ?? '');
  const [keys, setKeys] = useState('OPENAI_API_KEY');
  const names = keys.split(/[\s,]+/).filter(Boolean);
  const wrong = names.find((key) => !/^[A-Za-z_]\w*$/.test(key));
  const imageFault = image.trim() === '' || /\s/.test(image.trim());
  const blocked =
    shut ??
    (name.trim() === ''
      ? 'Give the agent a name.'
      : imageFault
        ? 'Name the image it runs.'
        : wrong === undefined
          ? undefined
          : `“${wrong}” cannot be the name of a variable.`);
  const submit = () =>
    start({
      name: slugify(`${name}-agent`),
      compose: agentCompose({
        service: agent_framework,
        image: image.trim(),
        json: writeCharacter(newCharacter(name.trim())),
        secrets: names,
      }),
      secrets: names.map((key) => ({ key, value: '' })),
    });
  return (
    <Panel
      title="An agent"
      subtitle={`You get a compose file with a character in it. Once it runs, the character is edited on the CVM’s page “Agent” (${agent_framework}-conf).`}
    >
      <FormShell
        aria-label="Agent"
        error={null}
        pending={false}
        onSubmit={submit}
        submitLabel="Continue"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <Fields>
          <TextInput
            label="What is it called?"
            value={name}
            maxLength={60}
            placeholder="Ada"
            onChange={(event) => setName(event.target.value)}
          />
          <TextInput
            mono
            label="Image"
            value={image}
            help="Published by the framework’s project. Pin it by digest before others have to trust it."
            onChange={(event) => setImage(event.target.value)}
          />
          <TextInput
            mono
            label="Secrets it needs"
            optional
            value={keys}
            help="Names only, with spaces between. You type the values on the next page."
            onChange={(event) => setKeys(event.target.value)}
          />
        </Fields>
      </FormShell>
    </Panel>
  );
}
