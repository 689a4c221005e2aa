import styled from '@emotion/styled';
import type { Character } from '../../../lib/agent/character';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import { color, space, type } from '../../../ui/theme';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Note = styled('p')({ ...type.small, color: color.muted });

interface Props {
  character: Character;
  onChange: (character: Character) => void;
  readOnly: boolean;
}

/** Form fields for a character's text and list values. The rest (conversations, templates) stays in the JSON. */
export function CharacterForm({ character, onChange, readOnly }: Props) {
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
        help="What it knows about, one per line."
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
        label="Style, everywhere"
        help="Writing rules, one per line."
        value={style.all}
        onChange={(all) => set({ style: { ...style, all } })}
      />
      <Lines
        {...lists}
        label="Style in conversations"
        value={style.chat}
        onChange={(chat) => set({ style: { ...style, chat } })}
      />
      <Lines
        {...lists}
        label="Style of posts"
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
      <Settings {...{ character, onChange, readOnly }} />
      {character.messageExamples !== undefined && character.messageExamples.length > 0 && (
        <Note>
          {character.messageExamples.length} example conversation
          {character.messageExamples.length === 1 ? ' is' : 's are'} in the JSON.
        </Note>
      )}
    </Fields>
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
    <TextInput
      key={name}
      mono
      label={`Setting ${name}`}
      value={String(value)}
      readOnly={readOnly}
      onChange={(event) =>
        onChange({
          ...character,
          settings: { ...character.settings, [name]: sameKind(event.target.value, value) },
        })
      }
    />
  ));
}

/** Numbers stay numbers while the input is numeric. */
function sameKind(typed: string, before: unknown): string | number | boolean {
  if (typeof before === 'boolean' && (typed === 'true' || typed === 'false')) return typed === 'true';
  const number = Number(typed);
  return typeof before === 'number' && typed.trim() !== '' && Number.isFinite(number) ? number : typed;
}
