import styled from '@emotion/styled';
import { useState } from 'react';
import type { Character } from '../../../lib/agent/character';
import { orderedPlugins, pluginFault, withPreset } from '../../../lib/agent/plugins';
import { settingOf, shownSetting, type SettingKind } from '../../../lib/agent/settings';
import { Button } from '../../../ui/controls/Button';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import { space, type } from '../../../ui/theme';
import { ExamplesEditor } from './ExamplesEditor';
import { PresetDialog } from './PresetDialog';
import { TemplatesEditor } from './TemplatesEditor';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Heading = styled('h3')(type.heading);
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  character: Character;
  onChange: (character: Character) => void;
  readOnly: boolean;
}

/** Form fields for a character. Properties without a field stay in the JSON. */
export function CharacterForm({
  character,
  onChange,
  readOnly,
  teamSlug,
  service,
  variables,
}: Props & { teamSlug: string; service: string; variables: readonly string[] }) {
  const set = (change: Partial<Character>) => onChange({ ...character, ...change });
  const style = character.style ?? {};
  const lists = { readOnly };
  return (
    <Fields>
      <TextInput
        label="Name"
        value={character.name}
        readOnly={readOnly}
        maxLength={200}
        error={character.name === '' ? 'An agent needs a name.' : undefined}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label="System prompt"
        optional
        rows={4}
        value={character.system ?? ''}
        readOnly={readOnly}
        help="Instructions for the model before every conversation."
        onChange={(event) => set({ system: event.target.value })}
      />
      <Lines
        {...lists}
        label="Biography"
        help="Facts about the agent, one per line."
        value={character.bio}
        onChange={(bio) => set({ bio })}
      />
      <Lines
        {...lists}
        label="Topics"
        help="Subjects the agent knows about, one per line."
        value={character.topics}
        onChange={(topics) => set({ topics })}
      />
      <Lines
        {...lists}
        label="Adjectives"
        help="One per line."
        value={character.adjectives}
        onChange={(adjectives) => set({ adjectives })}
      />
      <Lines
        {...lists}
        label="General style"
        help="Writing rules, one per line."
        value={style.all}
        onChange={(all) => set({ style: { ...style, all } })}
      />
      <Lines
        {...lists}
        label="Conversation style"
        value={style.chat}
        onChange={(chat) => set({ style: { ...style, chat } })}
      />
      <Lines
        {...lists}
        label="Post style"
        value={style.post}
        onChange={(post) => set({ style: { ...style, post } })}
      />
      <Lines
        {...lists}
        label="Plugins"
        help="Package names, one per line."
        value={character.plugins}
        onChange={(plugins) => set({ plugins })}
      />
      {!readOnly && <PluginActions {...{ character, onChange, teamSlug, service, variables }} />}
      <Settings {...{ character, onChange, readOnly }} />
      <Heading>Example conversations</Heading>
      <ExamplesEditor {...{ character, onChange, readOnly }} />
      <Heading>Prompt templates</Heading>
      <TemplatesEditor {...{ character, onChange, readOnly }} />
    </Fields>
  );
}

/** Adds a provider's or client's plugins and sorts plugins into a working order. */
function PluginActions({
  character,
  onChange,
  teamSlug,
  service,
  variables,
}: Omit<Props, 'readOnly'> & { teamSlug: string; service: string; variables: readonly string[] }) {
  const [isAdding, setAdding] = useState(false);
  const plugins = character.plugins ?? [];
  const fault = pluginFault(plugins);
  return (
    <>
      <Actions>
        <Button onClick={() => setAdding(true)}>Add provider or client</Button>
        {fault !== null && (
          <Button onClick={() => onChange({ ...character, plugins: orderedPlugins([...new Set(plugins)]) })}>
            Sort plugins
          </Button>
        )}
      </Actions>
      {isAdding && (
        <PresetDialog
          teamSlug={teamSlug}
          service={service}
          variables={variables}
          onAdd={(preset) => onChange({ ...character, plugins: withPreset(plugins, preset) })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

interface LinesProps {
  label: string;
  help?: string;
  value: string | readonly string[] | undefined;
  onChange: (lines: string[]) => void;
  readOnly: boolean;
}

/** A list of strings, one per line. Empty lines are kept while typing. */
function Lines({ value = [], onChange, help, ...rest }: LinesProps) {
  const lines = typeof value === 'string' ? value.split('\n') : value;
  return (
    <TextArea
      {...rest}
      {...(help === undefined ? {} : { help })}
      optional
      rows={Math.min(8, Math.max(2, lines.length))}
      value={lines.join('\n')}
      onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
      onBlur={() => {
        const kept = lines.filter((line) => line.trim() !== '');
        if (kept.length !== lines.length) onChange(kept);
      }}
    />
  );
}

/** Settings with a single value; nested ones stay in the JSON. */
function Settings({ character, onChange, readOnly }: Props) {
  const settings = Object.entries(character.settings ?? {});
  const simple = settings.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return simple.map(([name, value]) => (
    <Setting
      key={name}
      name={name}
      value={value as string | number | boolean}
      readOnly={readOnly}
      onChange={(next) => onChange({ ...character, settings: { ...character.settings, [name]: next } })}
    />
  ));
}

interface SettingProps {
  name: string;
  value: string | number | boolean;
  onChange: (value: string | number | boolean) => void;
  readOnly: boolean;
}

/** Keeps its kind, also after it was empty, and the text as typed. */
function Setting({ name, value, onChange, readOnly }: SettingProps) {
  const [first] = useState(kindOf(value));
  const kind = typeof value === 'string' ? first : kindOf(value);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      mono
      label={`Setting ${name}`}
      value={shownSetting(typed, value, kind)}
      readOnly={readOnly}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(settingOf(event.target.value, kind));
      }}
    />
  );
}

const kindOf = (value: string | number | boolean) => typeof value as SettingKind;
