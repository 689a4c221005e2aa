import styled from '@emotion/styled';
import { useState } from 'react';
import { useSession } from '../../../api/session';
import { newCharacter, writeCharacter } from '../../../lib/agent/character';
import { agentCompose, agentImage } from '../../../lib/agent/compose';
import { slugify } from '../../../lib/ids';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import type { OptionProps } from './optionProps';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** Creates a compose file for an agent. Users edit its character later on the agent page. */
export function AgentOption({ start, blockedReason }: OptionProps) {
  const { agent_framework } = useSession().environment;
  const [name, setName] = useState('');
  const [image, setImage] = useState(agentImage(agent_framework) ?? '');
  const [keys, setKeys] = useState('OPENAI_API_KEY');
  const names = keys.split(/[\s,]+/).filter(Boolean);
  const wrong = names.find((key) => !/^[A-Za-z_]\w*$/.test(key));
  const imageFault = image.trim() === '' || /\s/.test(image.trim());
  const blocked =
    blockedReason ??
    (name.trim() === ''
      ? 'Enter a name.'
      : imageFault
        ? 'Enter an image.'
        : wrong === undefined
          ? undefined
          : `“${wrong}” isn’t a valid variable name.`);
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
      subtitle={`Generates a Compose file with a character. After deploying, edit the character in the CVM’s Agent tab (${agent_framework}-conf).`}
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
            label="Name"
            value={name}
            maxLength={60}
            placeholder="Ada"
            onChange={(event) => setName(event.target.value)}
          />
          <TextInput
            mono
            label="Image"
            value={image}
            help="Published by the framework’s project. Pin it by digest in production."
            onChange={(event) => setImage(event.target.value)}
          />
          <TextInput
            mono
            label="Required secrets"
            optional
            value={keys}
            help="Names only, separated by spaces. Enter the values on the next page."
            onChange={(event) => setKeys(event.target.value)}
          />
        </Fields>
      </FormShell>
    </Panel>
  );
}
