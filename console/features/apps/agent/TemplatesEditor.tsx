import styled from '@emotion/styled';
import { useState } from 'react';
import type { Character } from '../../../lib/agent/character';
import { ownValue } from '../../../lib/ownValue';
import { Button } from '../../../ui/controls/Button';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextArea } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: space(2) });

/** The prompt names elizaOS knows, with when it uses each. */
const NAMES: Readonly<Record<string, string>> = {
  messageHandlerTemplate: 'Reply to a message',
  shouldRespondTemplate: 'Decide whether to reply',
  postCreationTemplate: 'Write a post',
  continueMessageHandlerTemplate: 'Continue a reply',
  reflectionTemplate: 'Reflect on a conversation',
};

interface Props {
  character: Character;
  onChange: (character: Character) => void;
  readOnly: boolean;
}

/** Prompts that override the framework's. */
export function TemplatesEditor({ character, onChange, readOnly }: Props) {
  const templates = character.templates ?? {};
  const free = Object.keys(NAMES).filter((name) => !Object.hasOwn(templates, name));
  const [chosen, setChosen] = useState('');
  const name = free.includes(chosen) ? chosen : free[0];
  const set = (next: Record<string, string>) => onChange({ ...character, templates: next });
  const without = (key: string) =>
    Object.fromEntries(Object.entries(templates).filter(([other]) => other !== key));
  return (
    <Stack>
      {Object.entries(templates).map(([key, text]) => (
        <div key={key}>
          <TextArea
            mono
            label={`Template ${key}`}
            {...(ownValue(NAMES, key) === undefined ? {} : { help: `${ownValue(NAMES, key)}.` })}
            rows={4}
            value={text}
            readOnly={readOnly}
            onChange={(event) => set({ ...templates, [key]: event.target.value })}
          />
          {!readOnly && (
            <Button size="small" onClick={() => set(without(key))} aria-label={`Remove template ${key}`}>
              Remove
            </Button>
          )}
        </div>
      ))}
      {!readOnly && name !== undefined && (
        <Actions>
          <SelectInput
            label="Template"
            value={name}
            choices={free.map((one) => ({ value: one, label: `${ownValue(NAMES, one)} (${one})` }))}
            onChange={(event) => setChosen(event.target.value)}
          />
          <Button onClick={() => set({ ...templates, [name]: '' })}>Add template</Button>
        </Actions>
      )}
    </Stack>
  );
}
