import styled from '@emotion/styled';
import PlusIcon from 'lucide-react/icons/plus';
import {
  messagesOf,
  newMessage,
  withMessages,
  type Character,
  type Message,
} from '../../../lib/agent/character';
import { Button } from '../../../ui/controls/Button';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import { color, radius, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Conversation = styled('fieldset')({
  display: 'grid',
  gap: space(3),
  minWidth: 0,
  margin: 0,
  padding: space(3),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Legend = styled('legend')({ ...type.small, color: color.muted, padding: `0 ${space(1)}` });
const Line = styled('div')({
  display: 'grid',
  gap: space(2),
  gridTemplateColumns: 'minmax(0, 120px) minmax(0, 1fr)',
});
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  character: Character;
  onChange: (character: Character) => void;
  readOnly: boolean;
}

/** A placeholder that the framework replaces with a user's name. */
const USER = '{{user1}}';

/** Example conversations that show the model how the agent talks. */
export function ExamplesEditor({ character, onChange, readOnly }: Props) {
  const examples = character.messageExamples ?? [];
  const set = (next: typeof examples) => onChange({ ...character, messageExamples: next });
  const change = (at: number, messages: Message[]) =>
    set(examples.map((one, index) => (index === at ? withMessages(one, messages) : one)));
  const add = () => {
    const like = examples.flatMap(messagesOf)[0];
    const messages = [newMessage(USER, like), newMessage(character.name, like)];
    const first = examples[0];
    set([...examples, first === undefined ? messages : withMessages(first, messages)]);
  };
  return (
    <Stack>
      {examples.map((one, index) => (
        <ConversationEditor
          key={index}
          number={index + 1}
          name={character.name}
          messages={messagesOf(one)}
          readOnly={readOnly}
          onChange={(messages) => change(index, messages)}
          onRemove={() => set(examples.filter((_, other) => other !== index))}
        />
      ))}
      {!readOnly && (
        <Actions>
          <Button startIcon={<PlusIcon />} onClick={add}>
            Add example conversation
          </Button>
        </Actions>
      )}
    </Stack>
  );
}

function ConversationEditor({
  number,
  name,
  messages,
  readOnly,
  onChange,
  onRemove,
}: {
  number: number;
  /** The agent's name. */
  name: string;
  messages: Message[];
  readOnly: boolean;
  onChange: (messages: Message[]) => void;
  onRemove: () => void;
}) {
  const change = (at: number, message: Message) =>
    onChange(messages.map((one, index) => (index === at ? message : one)));
  const last = messages.at(-1);
  const next = last && speakerOf(last) === name ? USER : name;
  return (
    <Conversation>
      <Legend>Example conversation {number}</Legend>
      {messages.map((message, index) => (
        <Line key={index}>
          <TextInput
            label="Speaker"
            value={speakerOf(message)}
            readOnly={readOnly}
            maxLength={100}
            onChange={(event) => change(index, withSpeaker(message, event.target.value))}
          />
          <TextArea
            label="Message"
            rows={2}
            value={message.content.text ?? ''}
            readOnly={readOnly}
            onChange={(event) =>
              change(index, { ...message, content: { ...message.content, text: event.target.value } })
            }
          />
        </Line>
      ))}
      {!readOnly && (
        <Actions>
          <Button
            size="small"
            startIcon={<PlusIcon />}
            onClick={() => onChange([...messages, newMessage(next, messages[0])])}
          >
            Add message
          </Button>
          {messages.length > 1 && (
            <Button size="small" onClick={() => onChange(messages.slice(0, -1))}>
              Remove last message
            </Button>
          )}
          <Button size="small" onClick={onRemove}>
            Remove conversation
          </Button>
        </Actions>
      )}
    </Conversation>
  );
}

const speakerOf = ({ name, user }: Message): string => name ?? user ?? '';

const withSpeaker = (message: Message, speaker: string): Message =>
  message.name === undefined ? { ...message, user: speaker } : { ...message, name: speaker };
